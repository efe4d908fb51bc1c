package org.leasehold.resource.simulator.host;

import org.leasehold.lease.Fault;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.CloudStore.Whereabouts;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;

/**
 * Moves hosts between the pool and the reservations' aggregates.
 *
 * <p>A host joins its new aggregate before it leaves the old one. So the reservation's own
 * aggregate shows what an interrupted move has left, and the call never reads what another
 * reservation has. While the host is in both, no user can boot a server on it. So the deletion of
 * the servers then deletes them all.
 */
final class HostAggregates {

    private final CloudStore store;

    HostAggregates(CloudStore store) {
        this.store = store;
    }

    boolean exists(ReservationId reservation) {
        return store.hasAggregate(reservation.toString());
    }

    List<String> hostsOf(ReservationId reservation) {
        return store.hostsOf(reservation.toString());
    }

    void create(SimulatedCloudCall call, ReservationId reservation, ProjectId project) {
        if (exists(reservation)) {
            return;
        }
        call.step("create_aggregate", null, () -> store.createAggregate(reservation, project));
    }

    void delete(SimulatedCloudCall call, ReservationId reservation) {
        call.step("delete_aggregate", null, () -> store.deleteAggregate(reservation));
    }

    /** Moves a host of the pool to the reservation, without any server on it. */
    void assignHost(SimulatedCloudCall call, ReservationId reservation, String host) {
        Whereabouts now =
                store.findMemberships(host, reservation)
                        .orElseThrow(
                                () ->
                                        SimulatedCloudException.insufficientResources(
                                                host, "does not exist"));
        if (now.inOwn() && !now.inPool()) {
            return;
        }
        if (!now.inOwn()) {
            if (now.otherOwner() != null) {
                throw SimulatedCloudException.insufficientResources(
                        host, "belongs to the reservation " + now.otherOwner());
            }
            if (!now.inPool()) {
                // A host that was enrolled a moment ago may not be in the pool yet.
                throw new SimulatedCloudException(
                        Fault.Kind.RETRYABLE,
                        "The host " + host + " is not in the " + CloudStore.FREEPOOL);
            }
            if (!now.up()) {
                throw SimulatedCloudException.insufficientResources(host, "is down");
            }
            call.step(
                    "add_host",
                    host,
                    () -> store.addToAggregate(reservation.toString(), host, true));
        }
        deleteServers(call, host);
        call.step(
                "leave_freepool", host, () -> store.removeFromAggregate(CloudStore.FREEPOOL, host));
    }

    /**
     * Moves the reservation's servers between two of its hosts; neither leaves it. A server that
     * does not move fails the call: the release of its host would delete it.
     */
    void moveServers(SimulatedCloudCall call, ReservationId reservation, String from, String to) {
        if (!hostsOf(reservation).contains(from)) {
            return;
        }
        for (SimulatedHost.Server server : serversOf(reservation, from)) {
            call.step("move_server", from, () -> store.moveServer(server.id(), to));
        }
        serversOf(reservation, from).stream()
                .findFirst()
                .ifPresent(
                        server -> {
                            throw new SimulatedCloudException(
                                    Fault.Kind.RETRYABLE,
                                    "The server %s does not move from %s to %s"
                                            .formatted(server.name(), from, to));
                        });
    }

    private List<SimulatedHost.Server> serversOf(ReservationId reservation, String host) {
        return store.serversOn(host).stream()
                .filter(server -> reservation.equals(server.reservation()))
                .toList();
    }

    /** Returns a host of the reservation to the pool, without any server on it. */
    void releaseHost(SimulatedCloudCall call, ReservationId reservation, String host) {
        boolean inPool =
                store.findMemberships(host, reservation).map(Whereabouts::inPool).orElse(false);
        if (!inPool) {
            call.step(
                    "enter_freepool",
                    host,
                    () -> store.addToAggregate(CloudStore.FREEPOOL, host, false));
        }
        deleteServers(call, host);
        call.step(
                "remove_host", host, () -> store.removeFromAggregate(reservation.toString(), host));
    }

    /** Adds a host to the pool unless a reservation has it. */
    void enrol(SimulatedCloudCall call, String host) {
        Whereabouts now =
                store.findMemberships(host, null)
                        .orElseThrow(
                                () ->
                                        new SimulatedCloudException(
                                                Fault.Kind.PERMANENT,
                                                "The simulated cloud has no host " + host));
        if (!now.inPool() && now.otherOwner() == null) {
            call.step("enrol", host, () -> store.addToAggregate(CloudStore.FREEPOOL, host, false));
        }
    }

    void retire(SimulatedCloudCall call, String host) {
        if (store.findMemberships(host, null).map(Whereabouts::inPool).orElse(false)) {
            call.step("retire", host, () -> store.removeFromAggregate(CloudStore.FREEPOOL, host));
        }
    }

    private void deleteServers(SimulatedCloudCall call, String host) {
        for (SimulatedHost.Server server : store.serversOn(host)) {
            call.step("delete_server", host, () -> store.deleteServer(server.id()));
        }
    }
}
