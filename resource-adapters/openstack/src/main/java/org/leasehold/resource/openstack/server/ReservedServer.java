package org.leasehold.resource.openstack.server;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.compute.ExistingServer;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.server.OnEnd;
import org.leasehold.resource.server.OnStart;
import org.leasehold.resource.server.ServerPlanning;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One call for a reservation's server. It finds the server by the request and the project, never by
 * its metadata. Nova lets nothing be written on a shelved server, and its holder can write anything
 * on another one. So a call marks the server once it runs, and removes the mark before it shelves
 * it.
 */
final class ReservedServer {

    private static final String ACTIVE = "ACTIVE";
    private static final String SHUTOFF = "SHUTOFF";
    private static final String SUSPENDED = "SUSPENDED";
    private static final int LONGEST_NAME = 255;

    /** A property that identifies the image: a server may be leased more than once. */
    private static final String RESERVATION = "leasehold_reservation";

    /** The statuses if the trust is gone, or the user lacks the right. */
    private static final Set<Integer> NOT_AS_THE_USER = Set.of(401, 403, 404);

    private final Nova nova;
    private final NovaChanges changes;
    private final Patience patience;
    private final Assignment assignment;
    private final String id;

    ReservedServer(Nova nova, Patience patience, Assignment assignment) {
        this.nova = nova;
        this.changes = nova.fencedBy(assignment.fence());
        this.patience = patience;
        this.assignment = assignment;
        this.id = ServerPlanning.serverId(assignment.parameters());
    }

    /**
     * Shelves the server, unless another lease has it now. Leaves a shelved and busy one alone,
     * because another lease's start may be about to unshelve it.
     */
    void shelveUntilItsStart() {
        find().filter(server -> !server.isShelved()).ifPresent(_ -> shelve());
    }

    /** Starts the server, unless its project does so. */
    void take() {
        free();
        if (OnStart.of(assignment.parameters()) == OnStart.UNSHELVE) {
            bring(server -> server.status().equals(ACTIVE), this::wake);
        }
        keep();
    }

    private void wake(ExistingServer server) {
        switch (server.status()) {
            case SHUTOFF -> changes.ask(server, "os-start");
            case SUSPENDED -> changes.ask(server, "resume");
            // Nova stores no zone for it. The calendar holds the room in this one.
            case "SHELVED_OFFLOADED" ->
                    changes.unshelve(server, assignment.resources().getFirst().name());
            // If it is not shelved at all, Nova returns the reason why it cannot be unshelved.
            default -> changes.ask(server, "unshelve");
        }
    }

    /** Marks the server as the reservation's, as soon as Nova permits it. */
    void keep() {
        ExistingServer server = free();
        if (!server.isOf(assignment.reservation()) && server.isSettled()) {
            changes.mark(server, assignment.reservation());
            // Another call may have found it free at the same time. Nova compares nothing before it
            // writes. A call that reads before the other's write assumes that both have it.
            free();
        }
    }

    /** Returns the project's server; fails if another reservation has it, which may soon end. */
    private ExistingServer free() {
        ExistingServer server =
                find().orElseThrow(
                                () ->
                                        failure(
                                                Fault.Kind.INSUFFICIENT_RESOURCES,
                                                "The project has no server " + id));
        if (isAnothers(server)) {
            throw failure(Fault.Kind.RETRYABLE, server + " is in another lease");
        }
        return server;
    }

    /**
     * Returns whether its mark is of another lease that has this very server now. A mark that an
     * end could not remove, or that its holder invented, has no effect.
     */
    private boolean isAnothers(ExistingServer server) {
        return !server.isOf(assignment.reservation())
                && ReservationId.find(server.mark())
                        .flatMap(assignment.others()::wish)
                        .filter(wish -> ServerPlanning.serverId(wish).equals(id))
                        .isPresent();
    }

    private Optional<ExistingServer> find() {
        return nova.server(id)
                .filter(server -> server.project().equals(assignment.project().value()));
    }

    /** Applies the reservation's action at its end. */
    void end() {
        Optional<ExistingServer> found = find().filter(server -> !isAnothers(server));
        if (found.isEmpty()) {
            return;
        }
        OnEnd policy = OnEnd.of(assignment.parameters());
        if (policy == OnEnd.DELETE) {
            delete();
            return;
        }
        if (policy == OnEnd.SNAPSHOT) {
            makeImage(found.get());
        }
        if (!found.get().mark().isEmpty() && found.get().isSettled()) {
            changes.release(found.get());
        }
        switch (policy) {
            case SHELVE, SNAPSHOT -> shelve();
            case STOP -> rest("os-stop");
            case SUSPEND -> rest("suspend");
            case DELETE, KEEP -> {}
        }
    }

    private void makeImage(ExistingServer server) {
        String reservation = assignment.reservation().toString();
        if (server.isSettled() && !nova.hasImage(RESERVATION, reservation)) {
            String name = "reserved_" + server.name();
            asUser(
                    as ->
                            as.createImage(
                                    id,
                                    name.substring(0, Math.min(name.length(), LONGEST_NAME)),
                                    Map.of(RESERVATION, reservation)));
        }
        patience.await(
                () ->
                        find().filter(ExistingServer::isBusy)
                                .map(each -> each + " has no image yet"));
    }

    /** Deletes the server, which Nova permits in any state. */
    private void delete() {
        changes.deleteServer(id);
        patience.await(() -> find().map(left -> left + " is not gone yet"));
    }

    private void shelve() {
        bring(ExistingServer::isShelved, this::askToShelve);
    }

    /** Shelves as the engine if the user has locked the server: users cannot shelve locked ones. */
    private void askToShelve(ExistingServer server) {
        if (server.isLocked()) {
            changes.ask(server, "shelve");
        } else {
            asUser(as -> as.ask(server, "shelve"));
        }
    }

    /** Stops or suspends a running server; leaves any other state alone. */
    private void rest(String action) {
        bring(server -> !server.status().equals(ACTIVE), server -> changes.ask(server, action));
    }

    /**
     * Requests a state, and waits until the server has it, is gone, or is in another lease. Nova
     * rejects requests for a busy server: the call sends one at most, and a retry sends another.
     */
    private void bring(Predicate<ExistingServer> there, Consumer<ExistingServer> ask) {
        AtomicBoolean asked = new AtomicBoolean();
        patience.await(
                () -> {
                    Optional<ExistingServer> left =
                            find().filter(server -> !isThere(server, there));
                    left.filter(server -> !server.isBusy())
                            .filter(_ -> asked.compareAndSet(false, true))
                            .ifPresent(ask);
                    return left.map(server -> server + " has not got there yet");
                });
    }

    private boolean isThere(ExistingServer server, Predicate<ExistingServer> there) {
        return isAnothers(server) || (!server.isBusy() && there.test(server));
    }

    /**
     * Runs a change as the user, because an image belongs to the caller's project, also the image
     * of a shelved server. Nova shares the engine's images with the server's project, but does not
     * delete them. So the engine acts as itself only if the user's trust is missing or rejected.
     */
    private void asUser(Consumer<NovaChanges> change) {
        TrustId trust = assignment.trust();
        if (trust != null) {
            try {
                change.accept(nova.as(trust).fencedBy(assignment.fence()));
                return;
            } catch (CloudFailure failure) {
                if (!NOT_AS_THE_USER.contains(failure.status())) {
                    throw failure;
                }
            }
        }
        change.accept(changes);
    }

    private static CloudFailure failure(Fault.Kind kind, String message) {
        return new CloudFailure(kind, CloudFailure.NO_ANSWER, message);
    }
}
