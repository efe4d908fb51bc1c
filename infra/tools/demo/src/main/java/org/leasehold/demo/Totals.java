package org.leasehold.demo;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The totals of a history, computed from its events in the simplest way. They use none of the
 * product's code, so that you can compare the product's numbers with them.
 */
final class Totals {

    private static final String MINIMUM = "min";

    private final Map<ReservationId, ResourceKind> kinds = new HashMap<>();
    private final Map<LeaseId, Set<ReservationId>> reservations = new HashMap<>();
    private final Map<ReservationId, Promise> openAllocations = new HashMap<>();
    private final Map<ResourceKind, Duration> reserved = new TreeMap<>(BY_NAME);
    private Duration hostHoursWanted = Duration.ZERO;
    private Duration hostHoursRefused = Duration.ZERO;
    private long events;
    private long accepted;
    private long refused;
    private long changesRefused;
    private long failedStarts;
    private long replaced;

    private static final Comparator<ResourceKind> BY_NAME =
            Comparator.comparing(ResourceKind::value);

    /** The allocation of a reservation from a time on. */
    private record Promise(Instant start, Instant end, int units) {}

    private Totals() {}

    static Totals of(List<? extends DomainEventMessage<?>> history) {
        Totals totals = new Totals();
        for (DomainEventMessage<?> message : history) {
            totals.events++;
            if (message.getPayload() instanceof LeaseEvent event) {
                totals.count(event, message.getTimestamp());
            }
        }
        totals.openAllocations.forEach((id, promise) -> totals.count(id, promise, promise.end()));
        return totals;
    }

    private void count(LeaseEvent event, Instant decided) {
        switch (event) {
            case LeaseRequested requested -> {
                accepted++;
                countHostHours(requested.period(), requested.reservations(), true);
                Set<ReservationId> ids = new LinkedHashSet<>();
                for (ReservationWish wish : requested.reservations()) {
                    kinds.put(wish.id(), wish.kind());
                    ids.add(wish.id());
                }
                reservations.put(requested.leaseId(), ids);
            }
            case LeaseRefused lease -> {
                refused++;
                countHostHours(lease.period(), lease.reservations(), false);
            }
            case LeaseChangeRefused _ -> changesRefused++;
            case ReservationFailed _ -> failedStarts++;
            case ResourceReplaced _ -> replaced++;
            case ReservationGranted granted -> replaceAllocation(granted, decided);
            case LeaseEnding ending -> endAllocations(ending.leaseId(), decided);
            case LeaseEnded ended -> endAllocations(ended.leaseId(), decided);
            case LeaseEvent _ -> {}
        }
    }

    private void countHostHours(LeasePeriod period, List<ReservationWish> wishes, boolean granted) {
        for (ReservationWish wish : wishes) {
            if (wish.parameters().get(MINIMUM) instanceof Integer hosts) {
                Duration wanted = period.length().multipliedBy(hosts);
                hostHoursWanted = hostHoursWanted.plus(wanted);
                if (!granted) {
                    hostHoursRefused = hostHoursRefused.plus(wanted);
                }
            }
        }
    }

    /** Grants units. A decision replaces the time after it, and never the time before. */
    private void replaceAllocation(ReservationGranted event, Instant decided) {
        Promise before = openAllocations.get(event.reservationId());
        Instant start = event.period().start();
        if (before != null) {
            count(event.reservationId(), before, decided);
            start = start.isBefore(decided) ? decided : start;
        }
        int units = event.allocations().stream().mapToInt(Allocation::slots).sum();
        openAllocations.put(event.reservationId(), new Promise(start, event.period().end(), units));
    }

    private void endAllocations(LeaseId lease, Instant decided) {
        for (ReservationId id : reservations.getOrDefault(lease, Set.of())) {
            @Nullable Promise promise = openAllocations.remove(id);
            if (promise != null) {
                count(id, promise, decided);
            }
        }
    }

    private void count(ReservationId id, Promise promise, Instant until) {
        Instant end = promise.end().isBefore(until) ? promise.end() : until;
        if (end.isAfter(promise.start())) {
            reserved.merge(
                    Objects.requireNonNull(kinds.get(id)),
                    Duration.between(promise.start(), end).multipliedBy(promise.units()),
                    Duration::plus);
        }
    }

    long events() {
        return events;
    }

    long accepted() {
        return accepted;
    }

    long refused() {
        return refused;
    }

    long replaced() {
        return replaced;
    }

    long failedStarts() {
        return failedStarts;
    }

    long changesRefused() {
        return changesRefused;
    }

    /** Returns a hash of all events with their ids, sequence numbers, times and payloads. */
    static String digest(List<? extends DomainEventMessage<?>> history) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (DomainEventMessage<?> event : history) {
                String said =
                        String.join(
                                " ",
                                event.getIdentifier(),
                                event.getAggregateIdentifier(),
                                Long.toString(event.getSequenceNumber()),
                                event.getTimestamp().toString(),
                                event.getPayload().toString(),
                                new TreeMap<>(event.getMetaData()).toString());
                digest.update(said.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the reserved time of all units of a kind: hosts, slots, addresses or GiB. */
    Duration reserved(ResourceKind kind) {
        return reserved.getOrDefault(kind, Duration.ZERO);
    }

    /** Returns the refused share of the requested hosts, weighted by time. */
    double refusedShare() {
        return (double) hostHoursRefused.toSeconds() / hostHoursWanted.toSeconds();
    }

    @Override
    public String toString() {
        String all =
                String.format(
                        Locale.ROOT,
                        """
                        %,d events
                        %,d leases, %,d more were refused, and %,d changes
                        %,d starts failed, %,d hosts were replaced
                        %.2f %% of the hours of hosts that were asked for were refused
                        """,
                        events,
                        accepted,
                        refused,
                        changesRefused,
                        failedStarts,
                        replaced,
                        100 * refusedShare());
        String byKind =
                reserved.entrySet().stream()
                        .map(
                                kind ->
                                        String.format(
                                                Locale.ROOT,
                                                "%,.1f hours of %s were reserved%n",
                                                kind.getValue().toSeconds() / 3600.0,
                                                kind.getKey()))
                        .collect(Collectors.joining());
        return all + byKind;
    }
}
