package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the cloud keeps, and how it behaves. In the product it is a database; in the simulation of
 * the whole engine it is in memory.
 */
interface CloudStore {

    /** What an operation runs into that begins now. */
    Behaviours.Encounter meet(String operation, @Nullable String host);

    /**
     * Makes a change in a transaction of its own, during which nothing else happens on the host;
     * logs it if it changed anything.
     */
    void change(
            String operation,
            @Nullable ReservationId reservation,
            @Nullable String host,
            Change change);

    /** The host with exactly this name or this number. */
    Optional<SimulatedHost> host(String nameOrId);

    /** Every host, by name. */
    Map<String, SimulatedHost> hosts();

    /** The servers on a host, by name. */
    List<SimulatedCloud.Server> serversOn(String host);

    /** How many servers each host has; those that have none are left out. */
    Map<String, Integer> serversByHost();

    boolean hasAggregate(String name);

    List<String> hostsOf(String aggregate);

    /** Those that have an aggregate, in order. */
    List<ReservationId> reservations();

    int createAggregate(ReservationId reservation, ProjectId project);

    int deleteAggregate(ReservationId reservation);

    /**
     * Adds a host to an aggregate.
     *
     * @param zoned whether the aggregate is an availability zone, of which a host can be in one
     */
    int join(String aggregate, String host, boolean zoned);

    int leave(String aggregate, String host);

    int deleteServer(UUID server);

    /** The servers of a reservation of which there is no image yet, by name. */
    List<SimulatedCloud.Server> serversWithoutImage(ReservationId reservation);

    int createImage(SimulatedCloud.Server server, ReservationId reservation);

    /** Where a host is, as a reservation sees it; empty if there is no such host. */
    Optional<Whereabouts> find(String host, @Nullable ReservationId reservation);

    /** A change of what the cloud keeps; answers how much it changed. */
    interface Change {
        int rows();
    }

    /**
     * Where a host is.
     *
     * @param otherOwner a reservation that has it and is not the one that asks
     */
    record Whereabouts(boolean up, boolean inPool, boolean inOwn, @Nullable String otherOwner) {}
}
