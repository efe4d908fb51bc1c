package org.leasehold.command.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.RefusedDemand;
import org.leasehold.calendar.RefusedDemand.Kept;
import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.Comparison.Waiting;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Computes the figures of a scenario from its events, recorded or replayed. */
final class FigureCalculator {

    /** Millionths in one resource. */
    private static final long MILLIONTHS = 1_000_000;

    private final LeasePeriod window;
    private final Hours hours;
    private final Map<ResourceId, Standing> resources = new HashMap<>();
    private final Map<ResourceId, Instant> lost = new HashMap<>();
    private final Map<LeaseId, Map<ReservationId, Promise>> promises = new HashMap<>();
    private final Count requests = new Count();
    private final Count changes = new Count();
    private final List<Duration> waits = new ArrayList<>();
    private long neverStarting;

    FigureCalculator(LeasePeriod window) {
        this.window = window;
        this.hours = new Hours(window);
    }

    private static final class Count {

        private long accepted;
        private long refused;
        private long forbidden;

        Requests toRequests() {
            return new Requests(accepted, refused, forbidden);
        }
    }

    /** The state of a resource, and its beginning. */
    private record Standing(ResourceKind kind, boolean inService, Instant since) {}

    /** The grant of a reservation. */
    private record Promise(LeasePeriod period, List<Allocation> allocations) {}

    /** Records that the resource is in service or not from now on. */
    void updateResource(ResourceId id, ResourceKind kind, boolean inService, Instant at) {
        Standing before = resources.put(id, new Standing(kind, inService, at));
        close(before, at);
    }

    void retireResource(ResourceId id, Instant at) {
        close(resources.get(id), at);
        Standing gone = resources.get(id);
        if (gone != null) {
            // Grants on it still need its kind.
            resources.put(id, new Standing(gone.kind(), false, Instant.MAX));
        }
    }

    private void close(@Nullable Standing before, Instant at) {
        if (before != null && before.since().isBefore(at)) {
            LeasePeriod during = new LeasePeriod(before.since(), at);
            hours.add(Hours.Measure.ENROLLED, before.kind(), MILLIONTHS, during);
            if (before.inService()) {
                hours.add(Hours.Measure.RESERVABLE, before.kind(), MILLIONTHS, during);
            }
        }
    }

    /** Records that all grants on the resource are lost from now on. */
    void loseResource(ResourceId id, Instant at) {
        lost.putIfAbsent(id, at);
    }

    /** Adds the events of one command. */
    void addEvents(LeaseId id, List<LeaseEvent> events, Instant at) {
        count(events, at);
        events.forEach(event -> addEvents(id, event, at));
    }

    private void count(List<LeaseEvent> events, Instant at) {
        if (!window.contains(at)) {
            return;
        }
        boolean isNew = false;
        boolean isImported = false;
        boolean isChanged = false;
        boolean isConfirmed = false;
        for (LeaseEvent event : events) {
            isNew |= event instanceof LeaseRequested;
            isImported |= event instanceof LeaseImported;
            isChanged |=
                    event instanceof LeaseRescheduled
                            || event instanceof ReservationChanged
                            || event instanceof ReservationAdded
                            || (event instanceof ReservationRemoved removed
                                    && isFirstRemoval(removed));
            // The cloud confirms an accepted change: that is not another one.
            isConfirmed |= event instanceof ReservationAdjusted;
            switch (event) {
                case LeaseRefused refused -> {
                    requests.refused++;
                    addWait(refused);
                }
                case LeaseChangeRefused _ -> changes.refused++;
                case LeaseEvent _ -> {}
            }
        }
        requests.accepted += isNew && !isImported ? 1 : 0;
        changes.accepted += isChanged && !isNew && !isConfirmed ? 1 : 0;
    }

    /** Returns whether a reservation is removed now; a repeated removal has no grant any more. */
    private boolean isFirstRemoval(ReservationRemoved event) {
        return promises.getOrDefault(event.leaseId(), Map.of()).containsKey(event.reservationId());
    }

    /** Adds the delay; a request for several resources waits for the last of them. */
    private void addWait(LeaseRefused refused) {
        Instant latest = refused.period().start();
        for (Shortage shortage : refused.shortages()) {
            Instant next = shortage.nextStart();
            if (next == null) {
                neverStarting++;
                return;
            }
            latest = next.isAfter(latest) ? next : latest;
        }
        waits.add(Duration.between(refused.period().start(), latest));
    }

    private void addEvents(LeaseId id, LeaseEvent event, Instant at) {
        switch (event) {
            case LeaseRefused it -> addRefused(id, it.shortages(), it.period(), at);
            case LeaseChangeRefused it -> addRefused(id, it.shortages(), it.period(), at);
            case ReservationGranted it ->
                    replaceGrant(
                            id, it.reservationId(), new Promise(it.period(), it.allocations()), at);
            case ResourceReplaced it -> replaceResource(id, it, at);
            case LeaseEnding _ -> end(id, at);
            case ReservationRemoved it -> close(id, it.reservationId(), at);
            case ReservationReleased it -> close(id, it.reservationId(), at);
            case LeaseEnded _ -> end(id, at);
            case LeaseEvent _ -> {}
        }
    }

    private void addRefused(LeaseId id, List<Shortage> shortages, LeasePeriod period, Instant at) {
        for (Shortage shortage : shortages) {
            addUnmet(
                    Hours.Measure.REFUSED,
                    shortage.kind(),
                    RefusedDemand.of(
                            shortage.wanted(),
                            period,
                            at,
                            currentGrants(id, shortage.reservation(), shortage.kind())));
        }
    }

    /** Adds a request that is longer than allowed. */
    void addForbidden(
            LeaseId id, List<Wanted> wanted, LeasePeriod period, boolean isChange, Instant at) {
        if (window.contains(at)) {
            (isChange ? changes : requests).forbidden++;
        }
        for (Wanted each : wanted) {
            ResourceKind kind = each.demand().kind();
            addUnmet(
                    Hours.Measure.FORBIDDEN,
                    kind,
                    RefusedDemand.of(
                            each.demand().minimum(),
                            period,
                            at,
                            currentGrants(id, each.reservation(), kind)));
        }
    }

    private void addUnmet(Hours.Measure measure, ResourceKind kind, List<RefusedDemand> unmet) {
        unmet.forEach(each -> hours.add(measure, kind, each.amount() * MILLIONTHS, each.period()));
    }

    /** Returns the grants of a reservation for a kind. */
    private List<Kept> currentGrants(LeaseId id, ReservationId reservation, ResourceKind kind) {
        Promise promise = promises.getOrDefault(id, Map.of()).get(reservation);
        return promise == null
                ? List.of()
                : promise.allocations().stream()
                        .filter(allocation -> kind(allocation.resource()).equals(kind))
                        .map(
                                allocation ->
                                        new Kept(
                                                allocation.slots(),
                                                promise.period().start(),
                                                promise.period().end()))
                        .toList();
    }

    /** Replaces the part of the earlier grant after the decision. */
    private void replaceGrant(LeaseId id, ReservationId reservation, Promise promise, Instant at) {
        close(id, reservation, at);
        promises.computeIfAbsent(id, _ -> new HashMap<>(2)).put(reservation, promise);
    }

    private void replaceResource(LeaseId id, ResourceReplaced event, Instant at) {
        Promise before = promises.getOrDefault(id, Map.of()).get(event.reservationId());
        if (before == null || !at.isBefore(before.period().end())) {
            return;
        }
        Instant start = at.isAfter(before.period().start()) ? at : before.period().start();
        replaceGrant(
                id,
                event.reservationId(),
                new Promise(
                        new LeasePeriod(start, before.period().end()),
                        before.allocations().stream()
                                .map(
                                        allocation ->
                                                allocation.resource().equals(event.replaced())
                                                        ? event.replacement()
                                                        : allocation)
                                .toList()),
                at);
    }

    private void end(LeaseId id, Instant at) {
        List.copyOf(promises.getOrDefault(id, Map.of()).keySet())
                .forEach(reservation -> close(id, reservation, at));
    }

    private void close(LeaseId id, ReservationId reservation, Instant at) {
        Map<ReservationId, Promise> ofLease = promises.getOrDefault(id, new HashMap<>());
        Promise before = ofLease.remove(reservation);
        if (before != null) {
            close(before, at);
        }
        if (ofLease.isEmpty()) {
            promises.remove(id);
        }
    }

    private void close(Promise before, Instant at) {
        Instant start = before.period().start();
        Instant end = at.isBefore(before.period().end()) ? at : before.period().end();
        if (!start.isBefore(end)) {
            return;
        }
        for (Allocation allocation : before.allocations()) {
            ResourceKind kind = kind(allocation.resource());
            long part = part(allocation);
            hours.add(Hours.Measure.RESERVED, kind, part, new LeasePeriod(start, end));
            Instant since = lost.get(allocation.resource());
            if (since != null && since.isBefore(end)) {
                Instant from = since.isAfter(start) ? since : start;
                hours.add(Hours.Measure.LOST, kind, part, new LeasePeriod(from, end));
            }
        }
    }

    private ResourceKind kind(ResourceId resource) {
        return Objects.requireNonNull(resources.get(resource)).kind();
    }

    /** Returns the share's part of the processors, or of the first other class by name. */
    private static long part(Allocation allocation) {
        Share share = allocation.share();
        if (share != null && share.needs().values().stream().allMatch(need -> need == 0)) {
            return 0;
        }
        return share == null
                ? MILLIONTHS
                : Stream.concat(Stream.of("VCPU"), share.needs().keySet().stream())
                        .filter(counted -> share.needs().getOrDefault(counted, 0L) > 0)
                        .filter(
                                counted ->
                                        ResourceCapacity.of(allocation.properties(), counted) > 0)
                        .findFirst()
                        .map(
                                counted ->
                                        share.slots()
                                                * share.needs().getOrDefault(counted, 0L)
                                                * MILLIONTHS
                                                / ResourceCapacity.of(
                                                        allocation.properties(), counted))
                        .map(part -> Math.min(MILLIONTHS, part))
                        .orElse(MILLIONTHS);
    }

    /** Returns the figures at the end of the window. */
    Figures figures() {
        resources.values().forEach(standing -> close(standing, window.end()));
        promises.values()
                .forEach(ofLease -> ofLease.values().forEach(each -> close(each, window.end())));
        return new Figures(
                requests.toRequests(),
                changes.toRequests(),
                waiting(),
                hours.totals(),
                hours.weeks());
    }

    private Waiting waiting() {
        Duration sum = waits.stream().reduce(Duration.ZERO, Duration::plus);
        return waits.isEmpty()
                ? new Waiting(0, neverStarting, null, null)
                : new Waiting(
                        waits.size(),
                        neverStarting,
                        Duration.ofSeconds(sum.dividedBy(waits.size()).toSeconds()),
                        waits.stream().max(Duration::compareTo).orElseThrow());
    }
}
