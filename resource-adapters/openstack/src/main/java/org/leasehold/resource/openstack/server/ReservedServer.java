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
 * One call for a reservation's server. It is found by the wish and the project, and never by what
 * is written on it: Nova lets nothing be written on a server that is shelved, and its holder write
 * anything on one that is not. So it is marked once it runs, and unmarked before it is shelved.
 */
final class ReservedServer {

    private static final String ACTIVE = "ACTIVE";
    private static final String SHUTOFF = "SHUTOFF";
    private static final String SUSPENDED = "SUSPENDED";
    private static final int LONGEST_NAME = 255;

    /** A property of the image, by which it is found: a server may be leased more than once. */
    private static final String RESERVATION = "leasehold_reservation";

    /** The trust is gone, or the user may not. */
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
     * One that another lease has just now is left to it; and so is one that is shelved, but busy,
     * which another one's start may be about to unshelve.
     */
    void shelveUntilItsStart() {
        find().filter(server -> !server.isShelved()).ifPresent(_ -> shelve());
    }

    /** Has it run, unless that is left to its project. */
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
            // Nova remembers no zone of it. The room is held in this one.
            case "SHELVED_OFFLOADED" ->
                    changes.unshelve(server, assignment.resources().getFirst().name());
            // Where it is not shelved at all, Nova says why it cannot be.
            default -> changes.ask(server, "unshelve");
        }
    }

    /** Writes on it whose it is, as soon as something can be written. */
    void keep() {
        ExistingServer server = free();
        if (!server.isOf(assignment.reservation()) && server.isSettled()) {
            changes.mark(server, assignment.reservation());
            // Somebody may have found it free at the same time. Nova compares nothing before it
            // writes: who is faster than this look believes that both have it.
            free();
        }
    }

    /** The project's server, unless another reservation has it, which may be about to end. */
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
     * Whether what is written on it is of another lease that has this very server now. What an end
     * could not take away, or a holder has made up, keeps nobody from anything.
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

    /** Does with it what the reservation says. */
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

    /** Nova takes that in any state. */
    private void delete() {
        changes.deleteServer(id);
        patience.await(() -> find().map(left -> left + " is not gone yet"));
    }

    private void shelve() {
        bring(ExistingServer::isShelved, this::askToShelve);
    }

    /** What its user has locked they cannot have shelved; an image of it they can have made. */
    private void askToShelve(ExistingServer server) {
        if (server.isLocked()) {
            changes.ask(server, "shelve");
        } else {
            asUser(as -> as.ask(server, "shelve"));
        }
    }

    /** Whatever does not run is left as it is. */
    private void rest(String action) {
        bring(server -> !server.status().equals(ACTIVE), server -> changes.ask(server, action));
    }

    /**
     * Has it get somewhere, and waits until it is there or gone, or in another lease. Nova refuses
     * what is asked of a server that is busy: it is asked once at most, and again by who comes
     * again.
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
     * An image is of the project of whoever has it made, and so is the one that is made of a server
     * that is shelved. Nova shares the engine's with the server's project, but leaves it behind. So
     * the engine does it itself only if it cannot be done as the user, who may have given no trust.
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
