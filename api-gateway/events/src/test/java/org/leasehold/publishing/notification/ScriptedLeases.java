package org.leasehold.publishing.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The events of one lease, with its state after each, as the test states them. */
final class ScriptedLeases implements Leases {

    static final LeaseId LEASE = LeaseId.of("5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10");
    static final Instant DECIDED = Instant.parse("2026-11-21T00:33:09.000123Z");

    /** Leaves positions for the events of others. */
    private static final int APART = 10;

    private record Step(HistoryEntry event, @Nullable LeaseView after) {}

    private final List<Step> steps = new ArrayList<>();

    /** Adds an event of its own command. */
    Entry happens(String type, @Nullable LeaseView after) {
        return happens(type, "req-" + steps.size(), after);
    }

    /** Adds an event of a request. */
    Entry happens(String type, String request, @Nullable LeaseView after) {
        long sequence = steps.size();
        long position = (sequence + 1) * APART;
        steps.add(
                new Step(
                        new HistoryEntry(
                                position, sequence, DECIDED, type, "u1", "p1", List.of(), request,
                                null, null, Map.of()),
                        after));
        return new Entry(
                position,
                new UUID(1, position),
                "p1",
                sequence + 1,
                "Lease",
                LEASE.toString(),
                sequence,
                type,
                1,
                "u1",
                request,
                null,
                DECIDED,
                DECIDED,
                "{}");
    }

    static LeaseView lease(
            LeaseStatus status,
            ScheduledEventView.Status start,
            ScheduledEventView.Status beforeEnd,
            ScheduledEventView.Status end) {
        Instant begin = Instant.parse("2026-11-21T00:33:00Z");
        Instant over = Instant.parse("2026-11-21T02:33:00Z");
        Instant announced = Instant.parse("2026-11-21T01:33:00Z");
        return new LeaseView(
                LEASE,
                new ProjectId("p1"),
                new UserId("u1"),
                "nightly-build",
                status,
                new LeasePeriod(begin, over),
                announced,
                null,
                List.of(),
                List.of(
                        scheduled(ScheduledEventView.Type.START_LEASE, begin, start),
                        scheduled(ScheduledEventView.Type.BEFORE_END_LEASE, announced, beforeEnd),
                        scheduled(ScheduledEventView.Type.END_LEASE, over, end)),
                DECIDED,
                null,
                1,
                null,
                null);
    }

    /** Returns the lease with a reservation that was removed, and is not released yet. */
    static LeaseView leaving(LeaseView lease) {
        ReservationView removed =
                new ReservationView(
                        new ReservationId(new UUID(2, 2)),
                        ResourceKind.PHYSICAL_HOST,
                        ReservationView.Status.REMOVING,
                        Map.of(),
                        List.of(),
                        null,
                        false,
                        false,
                        null,
                        DECIDED,
                        null);
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                lease.status(),
                lease.period(),
                lease.beforeEnd(),
                null,
                List.of(removed),
                lease.scheduledEvents(),
                lease.createdAt(),
                null,
                lease.version() + 1,
                null,
                null);
    }

    private static ScheduledEventView scheduled(
            ScheduledEventView.Type type, Instant time, ScheduledEventView.Status status) {
        return new ScheduledEventView(
                UUID.nameUUIDFromBytes(type.name().getBytes(UTF_8)),
                type,
                time,
                status,
                DECIDED,
                null);
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        return steps.stream()
                .filter(step -> step.event().position() <= asOf)
                .reduce((_, last) -> last)
                .map(Step::after);
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        return steps.stream().map(Step::event).toList();
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        throw new UnsupportedOperationException();
    }
}
