package org.leasehold.resource.openstack.compute;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Nova's data of a server on a host. */
public final class FakeGuest {
    public final String id;
    public final String name;
    public final String project;
    public final String host;
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

    FakeGuest(String id, String name, String project, String host, String flavor) {
        this.flavor = flavor;
        this.id = id;
        this.name = name;
        this.project = project;
        this.host = host;
    }
}
