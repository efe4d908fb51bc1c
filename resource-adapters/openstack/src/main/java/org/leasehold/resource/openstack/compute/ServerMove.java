package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.NovaMigrations.Method;
import org.leasehold.resource.openstack.compute.NovaMigrations.Migration;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A move of servers from one host to another, and a wait until they are there. It reads where the
 * servers are, so that a repetition continues what an interrupted call has begun.
 */
public final class ServerMove {

    /** The statuses of servers that Nova can move while they run. */
    private static final Set<String> LIVE_STATUSES = Set.of("ACTIVE", "PAUSED");

    private static final String FAILED = "ERROR";

    /** The statuses of servers that have ended: they stay for their owner to restore them. */
    private static final Set<String> DELETED_STATUSES = Set.of("DELETED", "SOFT_DELETED");

    private static final int BAD_REQUEST = 400;

    private final Nova nova;
    private final NovaMigrations migrations;
    private final ParallelCalls parallelCalls;
    private final Hypervisor from;
    private final Hypervisor to;
    private final Predicate<Guest> which;
    private final Map<String, Attempts> attempts = new ConcurrentHashMap<>();

    /** The ids of servers on the target that do not move, or no longer. */
    private final Set<String> settled = ConcurrentHashMap.newKeySet();

    private ServerMove(NovaAccess access, Hypervisor from, Hypervisor to, Predicate<Guest> which) {
        this.nova = access.nova();
        this.migrations = access.changes().migrations();
        this.parallelCalls = access.parallelCalls();
        this.from = from;
        this.to = to;
        this.which = which;
    }

    /** The cloud in which servers move. */
    public record NovaAccess(Nova nova, NovaChanges changes, ParallelCalls parallelCalls) {}

    /** The requests for one server in this call, and their failure. */
    private static final class Attempts {
        private final Set<Method> methods = EnumSet.noneOf(Method.class);
        private boolean accepted;
        private @Nullable CloudFailure refusal;
        private volatile @Nullable CloudFailure failure;
    }

    /**
     * Moves servers to a host that may run them already.
     *
     * @param which the servers that move; others stay
     * @throws CloudFailure if some do not move, which names one of them; or if Nova needs more time
     */
    public static void run(
            NovaAccess access,
            Hypervisor from,
            Hypervisor to,
            Predicate<Guest> which,
            PollingWait pollingWait) {
        ServerMove move = new ServerMove(access, from, to, which);
        Optional<List<Guest>> pending = pollingWait.awaitRemaining(move::poll);
        move.worstFailure()
                .or(() -> pending.map(move::unfinished))
                .ifPresent(
                        failure -> {
                            throw failure;
                        });
    }

    /** Requests what is due, and returns the servers whose move is not complete. */
    private Optional<List<Guest>> poll() {
        // In this order no server is missed that changes its host between the queries.
        List<Guest> left = guestsOn(from);
        parallelCalls.forEach(
                left.stream().filter(guest -> !isBusy(guest)).filter(this::isHopeful).toList(),
                this::request);
        List<Guest> unknown =
                guestsOn(to).stream()
                        .filter(guest -> !settled.contains(guest.server().id()))
                        .toList();
        parallelCalls.forEach(unknown, this::settleIfOver);
        List<Guest> arriving =
                unknown.stream().filter(guest -> !settled.contains(guest.server().id())).toList();
        List<Guest> pending =
                Stream.concat(left.stream().filter(this::isHopeful), arriving.stream()).toList();
        return Optional.of(pending).filter(servers -> !servers.isEmpty());
    }

    private List<Guest> guestsOn(Hypervisor hypervisor) {
        return nova.guestsOn(hypervisor.host()).stream()
                .filter(which)
                .filter(guest -> !isDeleted(guest))
                .toList();
    }

    /** Returns whether a server has ended, so that it does not move. */
    public static boolean isDeleted(Guest guest) {
        return DELETED_STATUSES.contains(status(guest));
    }

    private static boolean isBusy(Guest guest) {
        return guest.isBusy() || status(guest).equals("BUILD");
    }

    private boolean isHopeful(Guest guest) {
        Attempts made = attempts.get(guest.server().id());
        return made == null || made.failure == null;
    }

    /** Settles a server on the target, unless a move from the source has yet to end. */
    private void settleIfOver(Guest guest) {
        String id = guest.server().id();
        Optional<Migration> arriving =
                migrations
                        .latest(id)
                        .filter(latest -> latest.source().equals(from.host()))
                        .filter(latest -> !latest.isOver());
        if (arriving.isPresent()) {
            if (arriving.get().isUnconfirmed() && !guest.isBusy()) {
                migrations.confirm(id);
            }
            return;
        }
        settled.add(id);
        Attempts made = attempts.get(id);
        if (made != null && status(guest).equals(FAILED)) {
            made.failure = failure(guest, Fault.Kind.PERMANENT, "");
        }
    }

    /** Requests the next move that may work. A server with an earlier request is where it was. */
    private void request(Guest guest) {
        if (migrations
                .latest(guest.server().id())
                .filter(latest -> latest.isLeaving(from.host()))
                .isPresent()) {
            return;
        }
        Attempts made = attempts.computeIfAbsent(guest.server().id(), _ -> new Attempts());
        for (Method method : methodsFor(guest)) {
            if (!made.methods.add(method)) {
                continue;
            }
            Optional<CloudFailure> refusal =
                    migrations.request(method, guest.server().id(), to.host());
            if (refusal.isEmpty()) {
                made.accepted = true;
                return;
            }
            made.refusal = refusal.get();
            if (isOnlyBusy(refusal.get())) {
                made.methods.remove(method);
                return;
            }
        }
        made.failure = exhausted(guest, made);
    }

    private List<Method> methodsFor(Guest guest) {
        if (!from.up()) {
            return List.of(Method.EVACUATION);
        }
        return LIVE_STATUSES.contains(status(guest))
                ? List.of(Method.LIVE, Method.COLD)
                : List.of(Method.COLD);
    }

    /** Returns whether another request came first, such as a reboot by its owner. */
    private static boolean isOnlyBusy(CloudFailure refusal) {
        return refusal.fault().message().contains("task_state");
    }

    /** Returns the failure of a server that Nova refuses to move, or has failed to move. */
    private CloudFailure exhausted(Guest guest, Attempts made) {
        @Nullable CloudFailure refusal = made.refusal;
        // A host that has just come up refuses an evacuation with this status.
        boolean mayWorkLater =
                made.accepted || (refusal != null && refusal.status() == BAD_REQUEST);
        return failure(
                guest,
                mayWorkLater ? Fault.Kind.RETRYABLE : Fault.Kind.PERMANENT,
                refusal == null ? "" : refusal.fault().message());
    }

    private CloudFailure failure(Guest guest, Fault.Kind kind, String forOperators) {
        return new CloudFailure(
                kind,
                CloudFailure.NO_ANSWER,
                "The server %s (%s, %s) does not move from the host %s to %s"
                        .formatted(
                                guest.server().name(),
                                guest.server().id(),
                                status(guest),
                                from.name(),
                                to.name()),
                forOperators);
    }

    private CloudFailure unfinished(List<Guest> pending) {
        return new CloudFailure(
                Fault.Kind.RETRYABLE,
                CloudFailure.NO_ANSWER,
                "Servers still move from the host %s to %s: %s"
                        .formatted(from.name(), to.name(), Integer.toString(pending.size())));
    }

    /** Returns a failure, preferably one that a retry does not cure. */
    private Optional<CloudFailure> worstFailure() {
        List<CloudFailure> failures =
                attempts.values().stream()
                        .map(made -> made.failure)
                        .filter(Objects::nonNull)
                        .toList();
        return failures.stream()
                .filter(failure -> failure.fault().kind() != Fault.Kind.RETRYABLE)
                .findFirst()
                .or(() -> failures.stream().findFirst());
    }

    private static String status(Guest guest) {
        return guest.server().status();
    }
}
