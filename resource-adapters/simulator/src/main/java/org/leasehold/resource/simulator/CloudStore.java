package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The state and the behaviour of the cloud. In the product it is a database; in the simulation of
 * the whole engine it is in memory.
 */
public interface CloudStore {

    /** The name of the aggregate of the hosts that no reservation has. */
    String FREEPOOL = "freepool";

    /** Returns the latency and the fault of an operation that begins now. */
    BehaviorRuleTable.Encounter applyRules(String operation, @Nullable String host);

    /**
     * Runs a change in its own transaction, with the host locked; logs it if it changed anything.
     */
    void change(
            String operation,
            @Nullable ReservationId reservation,
            @Nullable String host,
            Change change);

    /** Returns the host with exactly this name or this number. */
    Optional<SimulatedHost> host(String nameOrId);

    /** Returns all hosts, by name. */
    Map<String, SimulatedHost> hosts();

    /** Returns the servers on a host, sorted by name. */
    List<SimulatedHost.Server> serversOn(String host);

    /** Returns the number of servers by host; hosts without servers are absent. */
    Map<String, Integer> serversByHost();

    boolean hasAggregate(String name);

    List<String> hostsOf(String aggregate);

    /** Returns the reservations that have an aggregate, in order. */
    List<ReservationId> reservations();

    int createAggregate(ReservationId reservation, ProjectId project);

    int deleteAggregate(ReservationId reservation);

    /**
     * Adds a host to an aggregate.
     *
     * @param zoned whether the aggregate is an availability zone; a host can be in only one
     */
    int addToAggregate(String aggregate, String host, boolean zoned);

    int removeFromAggregate(String aggregate, String host);

    int deleteServer(UUID server);

    /** Moves a server to another host, which must be up; returns 0 if the server is gone. */
    int moveServer(UUID server, String host);

    /** Returns the servers of a reservation that have no image yet, sorted by name. */
    List<SimulatedHost.Server> serversWithoutImage(ReservationId reservation);

    int createImage(SimulatedHost.Server server, ReservationId reservation);

    /** Returns the memberships of a host, for a reservation; empty if there is no such host. */
    Optional<Whereabouts> findMemberships(String host, @Nullable ReservationId reservation);

    /** A change of the state; returns the number of changed rows. */
    interface Change {
        int execute();
    }

    /**
     * The memberships of a host.
     *
     * @param otherOwner another reservation that has it; null for none
     */
    record Whereabouts(boolean up, boolean inPool, boolean inOwn, @Nullable String otherOwner) {}
}
