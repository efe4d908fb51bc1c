package org.leasehold.query.booking;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A reservation while the events of its lease are applied. */
final class ReservationBookings {

    private final Map<ResourceId, AllocationTimeline> timelines = new LinkedHashMap<>();
    private final Map<ResourceId, Allocation> granted = new LinkedHashMap<>();
    private Instant begin = Instant.MAX;

    /** Applies a grant; only a first one may have begun before, elsewhere. */
    void grant(Instant at, LeasePeriod period, List<Allocation> allocations) {
        Instant start = period.start().truncatedTo(ChronoUnit.MICROS);
        Instant end = period.end().truncatedTo(ChronoUnit.MICROS);
        Instant from = at;
        if (timelines.isEmpty()) {
            begin = start;
            from = start;
        }
        granted.clear();
        allocations.forEach(allocation -> granted.put(allocation.resource(), allocation));
        for (Map.Entry<ResourceId, AllocationTimeline> entry : timelines.entrySet()) {
            if (!granted.containsKey(entry.getKey())) {
                entry.getValue().withdraw(at);
            }
        }
        for (Allocation allocation : allocations) {
            timelineOf(allocation.resource()).promise(from, start, end, allocation);
        }
    }

    void replace(Instant at, ResourceId replaced, Allocation replacement) {
        granted.remove(replaced);
        granted.put(replacement.resource(), replacement);
        timelineOf(replacement.resource()).replace(at, timelineOf(replaced), replacement);
    }

    /** Applies an import: as far as is known, it had its resources since its window began. */
    void resume(boolean active) {
        holdResources(begin);
        if (active) {
            activate(begin);
        }
    }

    void holdResources(Instant at) {
        holdResources(at, List.copyOf(granted.keySet()));
    }

    void holdResources(Instant at, List<ResourceId> resources) {
        for (ResourceId resource : resources) {
            Allocation allocation = Objects.requireNonNull(granted.get(resource));
            timelineOf(resource).setHeldSlots(at, allocation.slots());
        }
    }

    void activate(Instant at) {
        granted.forEach(
                (resource, allocation) ->
                        timelineOf(resource).setGivenSlots(at, allocation.slots()));
    }

    void applyAdjustment(Instant at, List<ResourceId> left) {
        left.forEach(resource -> timelineOf(resource).setHeldSlots(at, 0));
        holdResources(at);
        activate(at);
    }

    void fail(Instant at) {
        timelines.values().forEach(timeline -> timeline.setGivenSlots(at, 0));
    }

    void markDown(Instant at, ResourceId resource) {
        timelineOf(resource).markDown(at);
    }

    void markUp(Instant at, ResourceId resource) {
        timelineOf(resource).markUp(at);
    }

    void end(Instant at) {
        timelines.values().forEach(timeline -> timeline.withdraw(at));
    }

    void release(Instant at) {
        timelines.values().forEach(timeline -> timeline.setHeldSlots(at, 0));
    }

    private AllocationTimeline timelineOf(ResourceId resource) {
        return timelines.computeIfAbsent(resource, _ -> new AllocationTimeline());
    }

    Stream<AllocationPeriod> periods(ReservationId reservation) {
        return timelines.entrySet().stream()
                .flatMap(entry -> entry.getValue().periods(reservation, entry.getKey()).stream());
    }
}
