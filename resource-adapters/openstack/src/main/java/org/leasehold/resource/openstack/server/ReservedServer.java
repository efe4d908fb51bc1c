package org.leasehold.resource.openstack.server;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.ExistingServer;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.server.ServerEndAction;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.ServerStartAction;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;

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
    private static final int MAX_NAME_LENGTH = 255;

    /** A property that identifies the image: a server may be leased more than once. */
    private static final String RESERVATION_PROPERTY = "leasehold_reservation";

    /** The statuses if the trust is gone, or the user lacks the right. */
    private static final Set<Integer> USER_REJECTED_STATUSES = Set.of(401, 403, 404);

    private final Nova nova;
    private final NovaChanges changes;
    private final PollingWait pollingWait;
    private final Assignment assignment;
    private final String id;

    ReservedServer(Nova nova, PollingWait patience, Assignment assignment) {
        this.nova = nova;
        this.changes = nova.fencedBy(assignment.fence());
        this.pollingWait = patience;
        this.assignment = assignment;
        this.id = ServerPlanning.serverId(assignment.parameters());
    }

    /**
     * Shelves the server, unless another lease has it now. Leaves a shelved and busy one alone,
     * because another lease's start may be about to unshelve it.
     */
    void shelveBeforeStart() {
        find().filter(server -> !server.isShelved()).ifPresent(_ -> shelve());
    }

    /** Starts the server, unless its project does so. */
    void start() {
        requireAvailableServer();
        if (ServerStartAction.of(assignment.parameters()) == ServerStartAction.UNSHELVE) {
            ensureState(server -> server.status().equals(ACTIVE), this::requestStart);
        }
        mark();
    }

    private void requestStart(ExistingServer server) {
        switch (server.status()) {
            case SHUTOFF -> changes.requestAction(server, "os-start");
            case SUSPENDED -> changes.requestAction(server, "resume");
            // Nova stores no zone for it. The calendar holds the room in this one.
            case "SHELVED_OFFLOADED" ->
                    changes.unshelve(server, assignment.resources().getFirst().name());
            // If it is not shelved at all, Nova returns the reason why it cannot be unshelved.
            default -> changes.requestAction(server, "unshelve");
        }
    }

    /** Marks the server as the reservation's, as soon as Nova permits it. */
    void mark() {
        ExistingServer server = requireAvailableServer();
        if (!server.isOf(assignment.reservation()) && server.isSettled()) {
            changes.mark(server, assignment.reservation());
            // Another call may have found it free at the same time. Nova compares nothing before it
            // writes. A call that reads before the other's write assumes that both have it.
            requireAvailableServer();
        }
    }

    /** Returns the project's server; fails if another reservation has it, which may end later. */
    private ExistingServer requireAvailableServer() {
        ExistingServer server =
                find().orElseThrow(
                                () ->
                                        failure(
                                                Fault.Kind.INSUFFICIENT_RESOURCES,
                                                "The project has no server " + id));
        if (isInOtherLease(server)) {
            throw failure(Fault.Kind.RETRYABLE, server + " is in another lease");
        }
        return server;
    }

    /**
     * Returns whether its mark is of another lease that has this very server now. A mark that an
     * end could not remove, or that its holder invented, has no effect.
     */
    private boolean isInOtherLease(ExistingServer server) {
        return !server.isOf(assignment.reservation())
                && ReservationId.find(server.mark())
                        .flatMap(assignment.others()::requestOf)
                        .filter(wish -> ServerPlanning.serverId(wish).equals(id))
                        .isPresent();
    }

    private Optional<ExistingServer> find() {
        return nova.server(id)
                .filter(server -> server.project().equals(assignment.project().value()));
    }

    /** Applies the reservation's action at its end. */
    void end() {
        Optional<ExistingServer> found = find().filter(server -> !isInOtherLease(server));
        if (found.isEmpty()) {
            return;
        }
        ServerEndAction policy = ServerEndAction.of(assignment.parameters());
        if (policy == ServerEndAction.DELETE) {
            delete();
            return;
        }
        if (policy == ServerEndAction.SNAPSHOT) {
            createImage(found.get());
        }
        if (!found.get().mark().isEmpty() && found.get().isSettled()) {
            changes.release(found.get());
        }
        switch (policy) {
            case SHELVE, SNAPSHOT -> shelve();
            case STOP -> stopIfActive("os-stop");
            case SUSPEND -> stopIfActive("suspend");
            case DELETE, KEEP -> {}
        }
    }

    private void createImage(ExistingServer server) {
        String reservation = assignment.reservation().toString();
        if (server.isSettled() && !nova.hasImage(RESERVATION_PROPERTY, reservation)) {
            String name = "reserved_" + server.name();
            runAsUser(
                    as ->
                            as.createImage(
                                    id,
                                    name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH)),
                                    Map.of(RESERVATION_PROPERTY, reservation)));
        }
        pollingWait.await(
                () ->
                        find().filter(ExistingServer::isBusy)
                                .map(each -> each + " has no image yet"));
    }

    /** Deletes the server, which Nova permits in any state. */
    private void delete() {
        changes.deleteServer(id);
        pollingWait.await(() -> find().map(left -> left + " is not gone yet"));
    }

    private void shelve() {
        ensureState(ExistingServer::isShelved, this::requestShelving);
    }

    /** Shelves as the engine if the user has locked the server: users cannot shelve locked ones. */
    private void requestShelving(ExistingServer server) {
        if (server.isLocked()) {
            changes.requestAction(server, "shelve");
        } else {
            runAsUser(as -> as.requestAction(server, "shelve"));
        }
    }

    /** Stops or suspends a running server; leaves any other state alone. */
    private void stopIfActive(String action) {
        ensureState(
                server -> !server.status().equals(ACTIVE),
                server -> changes.requestAction(server, action));
    }

    /**
     * Requests a state, and waits until the server has it, is gone, or is in another lease. Nova
     * rejects requests for a busy server: the call sends one at most, and a retry sends another.
     */
    private void ensureState(Predicate<ExistingServer> there, Consumer<ExistingServer> ask) {
        AtomicBoolean asked = new AtomicBoolean();
        pollingWait.await(
                () -> {
                    Optional<ExistingServer> left =
                            find().filter(server -> !hasReachedState(server, there));
                    left.filter(server -> !server.isBusy())
                            .filter(_ -> asked.compareAndSet(false, true))
                            .ifPresent(ask);
                    return left.map(server -> server + " has not got there yet");
                });
    }

    private boolean hasReachedState(ExistingServer server, Predicate<ExistingServer> there) {
        return isInOtherLease(server) || (!server.isBusy() && there.test(server));
    }

    /**
     * Runs a change as the user, because an image belongs to the caller's project, also the image
     * of a shelved server. Nova shares the engine's images with the server's project, but does not
     * delete them. So the engine acts as itself only if the user's trust is missing or rejected.
     */
    private void runAsUser(Consumer<NovaChanges> change) {
        TrustId trust = assignment.trust();
        if (trust != null) {
            try {
                change.accept(nova.withTrust(trust).fencedBy(assignment.fence()));
                return;
            } catch (CloudFailure failure) {
                if (!USER_REJECTED_STATUSES.contains(failure.status())) {
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
