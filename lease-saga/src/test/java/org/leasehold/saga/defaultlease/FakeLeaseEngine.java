package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeCommands.Sent;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** A write side with leases of servers: an id is used once, also by a refused request. */
final class FakeLeaseEngine {

    final FakeCommands commands = new FakeCommands();
    final FakeReadModel leases = new FakeReadModel();
    private final Set<LeaseId> known = new HashSet<>();
    private boolean full;

    FakeLeaseEngine() {
        commands.answer(this::decide);
    }

    /** Sets whether the calendar refuses all requests. */
    synchronized void setFull(boolean isFull) {
        full = isFull;
    }

    /** Decides a command like the engine. */
    synchronized Outcome<LeaseRejection> decide(Sent sent) {
        return switch (sent.command()) {
            case CreateLease request -> create(request);
            case EndLease end -> {
                put(end.leaseId(), LeaseStatus.ENDED);
                yield new Outcome.Accepted<>(1);
            }
            default -> throw new AssertionError(sent);
        };
    }

    private Outcome<LeaseRejection> create(CreateLease request) {
        if (!known.add(request.leaseId())) {
            return new Outcome.Rejected<>(new LeaseRejection.LeaseExists(request.leaseId()));
        }
        if (full) {
            return new Outcome.Refused<>(List.of(), 1);
        }
        leases.put(
                new LeaseView(
                        request.leaseId(),
                        request.projectId(),
                        request.userId(),
                        request.name(),
                        LeaseStatus.ACTIVE,
                        new LeasePeriod(request.start(), request.end()),
                        request.beforeEnd(),
                        null,
                        request.reservations().stream()
                                .map(wish -> reservation(request, wish))
                                .toList(),
                        List.of(),
                        request.start(),
                        null,
                        1,
                        null,
                        null));
        return new Outcome.Accepted<>(1);
    }

    private static ReservationView reservation(CreateLease request, ReservationWish wish) {
        return Samples.active(wish.id(), wish.kind(), wish.parameters(), request.start());
    }

    /** Leases a server at the request of its owner, and returns the lease. */
    LeaseId leaseServer(String server) {
        return lease(ResourceKind.SERVER, Map.of(ServerPlanning.SERVER_ID, server));
    }

    /** Leases a stack at the request of its owner, and returns the lease. */
    LeaseId leaseStack() {
        return lease(ResourceKind.STACK, Map.of());
    }

    private LeaseId lease(ResourceKind kind, Map<String, @Nullable Object> parameters) {
        LeaseId lease = new LeaseId(UUID.randomUUID());
        create(
                new CreateLease(
                        lease,
                        FakeServers.PROJECT,
                        FakeServers.USER,
                        "own",
                        Samples.NOON,
                        Samples.NOON.plus(Duration.ofDays(1)),
                        null,
                        List.of(
                                new ReservationWish(
                                        new ReservationId(UUID.randomUUID()), kind, parameters)),
                        null,
                        null));
        return lease;
    }

    /** Ends a lease on time. */
    void end(LeaseId lease) {
        put(lease, LeaseStatus.ENDED);
    }

    /** Adds a second reservation to a lease, as its owner does. */
    void extend(LeaseId lease, ReservationView further) {
        LeaseView before = leases.find(lease, null).orElseThrow();
        put(
                before,
                before.status(),
                Stream.concat(before.reservations().stream(), Stream.of(further)).toList());
    }

    /** Sets the reservations of a lease, as removals and additions of its owner do. */
    void exchange(LeaseId lease, ReservationView... reservations) {
        LeaseView before = leases.find(lease, null).orElseThrow();
        put(before, before.status(), List.of(reservations));
    }

    private void put(LeaseId lease, LeaseStatus status) {
        LeaseView before = leases.find(lease, null).orElseThrow();
        put(before, status, before.reservations());
    }

    private void put(LeaseView before, LeaseStatus status, List<ReservationView> reservations) {
        leases.put(
                new LeaseView(
                        before.id(),
                        before.projectId(),
                        before.userId(),
                        before.name(),
                        status,
                        before.period(),
                        before.beforeEnd(),
                        null,
                        reservations,
                        List.of(),
                        before.createdAt(),
                        null,
                        before.version() + 1,
                        null,
                        null));
    }

    /** Returns how many unfinished default leases a server has. */
    long countDefaultLeases(String server) {
        return unfinished().filter(lease -> lease.name().equals("default-" + server)).count();
    }

    /** Returns how many unfinished default leases there are. */
    long countDefaultLeases() {
        return unfinished().filter(lease -> lease.name().startsWith("default-")).count();
    }

    /** Ends all leases on time. */
    void endAll() {
        unfinished().map(LeaseView::id).forEach(this::end);
    }

    private Stream<LeaseView> unfinished() {
        return known.stream()
                .flatMap(lease -> leases.find(lease, null).stream())
                .filter(lease -> lease.status() != LeaseStatus.ENDED)
                .toList()
                .stream();
    }

    /** Returns the requests for leases, in order. */
    List<CreateLease> requests() {
        return commands.commands().stream()
                .filter(CreateLease.class::isInstance)
                .map(CreateLease.class::cast)
                .toList();
    }
}
