package org.leasehold.query.booking;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A reservation while the events of its lease are applied. */
final class Booked {

    private final Map<ResourceId, Place> places = new LinkedHashMap<>();
    private final Map<ResourceId, Allocation> granted = new LinkedHashMap<>();
    private Instant begin = Instant.MAX;

    /** Applies a grant; only a first one may have begun before, elsewhere. */
    void grant(Instant at, LeasePeriod period, List<Allocation> allocations) {
        Instant start = period.start().truncatedTo(ChronoUnit.MICROS);
        Instant end = period.end().truncatedTo(ChronoUnit.MICROS);
        Instant from = at;
        if (places.isEmpty()) {
            begin = start;
            from = start;
        }
        granted.clear();
        allocations.forEach(allocation -> granted.put(allocation.resource(), allocation));
        for (Map.Entry<ResourceId, Place> place : places.entrySet()) {
            if (!granted.containsKey(place.getKey())) {
                place.getValue().takeBack(at);
            }
        }
        for (Allocation allocation : allocations) {
            place(allocation.resource()).promise(from, start, end, allocation);
        }
    }

    void replace(Instant at, ResourceId replaced, Allocation replacement) {
        granted.remove(replaced);
        granted.put(replacement.resource(), replacement);
        place(replacement.resource()).replace(at, place(replaced), replacement);
    }

    /** Applies an import: as far as is known, it had its resources since its window began. */
    void resume(boolean active) {
        takeUp(begin);
        if (active) {
            give(begin);
        }
    }

    void takeUp(Instant at) {
        takeUp(at, List.copyOf(granted.keySet()));
    }

    void takeUp(Instant at, List<ResourceId> resources) {
        for (ResourceId resource : resources) {
            Allocation allocation = Objects.requireNonNull(granted.get(resource));
            place(resource).hold(at, allocation.slots());
        }
    }

    void give(Instant at) {
        granted.forEach((resource, allocation) -> place(resource).give(at, allocation.slots()));
    }

    void adjusted(Instant at, List<ResourceId> left) {
        left.forEach(resource -> place(resource).hold(at, 0));
        takeUp(at);
        give(at);
    }

    void fail(Instant at) {
        places.values().forEach(place -> place.give(at, 0));
    }

    void lose(Instant at, ResourceId resource) {
        place(resource).lose(at);
    }

    void regain(Instant at, ResourceId resource) {
        place(resource).regain(at);
    }

    void end(Instant at) {
        places.values().forEach(place -> place.takeBack(at));
    }

    void release(Instant at) {
        places.values().forEach(place -> place.hold(at, 0));
    }

    private Place place(ResourceId resource) {
        return places.computeIfAbsent(resource, _ -> new Place());
    }

    Stream<Stretch> stretches(ReservationId reservation) {
        return places.entrySet().stream()
                .flatMap(place -> place.getValue().stretches(reservation, place.getKey()).stream());
    }
}
