package org.leasehold.resource.openstack.compute;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Nova's data of a server on a host. */
public final class FakeGuest {
    public final String id;
    public final String name;
    public final String project;
    public String host;
    public final String flavor;

    /** Its flavor's, at the time of its creation. */
    public final Map<String, String> extraSpecs = new TreeMap<>();

    /** The class of which it takes one, from its flavor. */
    Optional<String> slot = Optional.empty();

    public String status = "ACTIVE";
    public boolean deleting;
    public boolean stubborn;

    /** True if Nova refuses to delete it. */
    public boolean locked;

    public boolean busy;
    public int vcpus = 1;

    /** False until the scheduler has found a host. */
    public boolean isPlaced = true;

    /** True if its images are slow. */
    public boolean slow;

    /** True if it can only move while it does not run, like one with a local device. */
    public boolean movesOnlyCold;

    /** True if Nova fails to move it. */
    public boolean failsToMove;

    /** True if it does not show the end of a move before a further query for servers. */
    public boolean movesQuietly;

    /** True if a move takes longer than a test. */
    public boolean movesForever;

    FakeGuest(String id, String name, String project, String host, String flavor) {
        this.flavor = flavor;
        this.id = id;
        this.name = name;
        this.project = project;
        this.host = host;
    }
}
