package org.leasehold.runtime.moving;

import org.leasehold.calendar.Capacity;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeasePeriod;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was promised twice, or beyond what there is: Blazar may have done so, and our calendar does
 * not hold it.
 *
 * @param cleaning how much longer than its lease a resource is held
 */
record Clashes(Plan plan, Duration cleaning) {

    /**
     * That a lease has a resource.
     *
     * @param taken whether it is in its hands, and not only promised to it
     */
    private record Hold(
            Arrival lease, LeasePeriod window, Demand demand, int slots, boolean taken) {

        boolean isWhole() {
            return demand instanceof Demand.Whole;
        }
    }

    void find() {
        Map<String, List<Hold>> byResource = new LinkedHashMap<>();
        Map<String, Plan.Newcomer> resources = new TreeMap<>();
        for (Arrival lease : plan.leases()) {
            LeasePeriod window =
                    new LeasePeriod(lease.period().start(), lease.period().end().plus(cleaning));
            for (Arrival.Place place : lease.places()) {
                boolean taken =
                        lease.past()
                                .of(place.wish().id())
                                .filter(past -> past.stage().holds())
                                .isPresent();
                ResourceKind kind = place.demand().kind();
                place.slots()
                        .forEach(
                                (name, slots) -> {
                                    String key = kind + " " + name;
                                    plan.find(kind, name).ifPresent(r -> resources.put(key, r));
                                    byResource
                                            .computeIfAbsent(key, _ -> new ArrayList<>())
                                            .add(
                                                    new Hold(
                                                            lease,
                                                            window,
                                                            place.demand(),
                                                            slots,
                                                            taken));
                                });
            }
        }
        byResource.forEach(
                (name, holds) -> find(name, Objects.requireNonNull(resources.get(name)), holds));
    }

    private void find(String name, Plan.Newcomer resource, List<Hold> holds) {
        Map<String, String> properties = properties(resource);
        for (int i = 0; i < holds.size(); i++) {
            Hold later = holds.get(i);
            List<Hold> before = holds.subList(0, i);
            before.stream()
                    .filter(other -> later.isWhole() || other.isWhole())
                    .flatMap(other -> clash(later, other).stream())
                    .findFirst()
                    .ifPresent(
                            how ->
                                    plan.isObstructed(
                                            later.lease().toString(), "has " + name + " " + how));
            List<Hold> met =
                    before.stream()
                            .filter(other -> other.window().overlaps(later.window()))
                            .toList();
            if (later.demand() instanceof Demand.Shared shared) {
                shared.needs()
                        .keySet()
                        .forEach(
                                need ->
                                        checkRoom(
                                                name,
                                                need,
                                                later,
                                                met,
                                                Capacity.of(properties, need)));
            }
        }
    }

    private Optional<String> clash(Hold later, Hold other) {
        if (other.window().overlaps(later.window())) {
            return Optional.of("at the same time as " + other.lease() + cleaned());
        }
        // One of them was never ended as it should have been, however long its time is over.
        return later.taken() && other.taken()
                ? Optional.of(
                        "in its hands, as has %s: one of the two is to be left behind"
                                .formatted(other.lease()))
                : Optional.empty();
    }

    private String cleaned() {
        return cleaning.isZero() ? "" : ", or within the cleaning time of " + cleaning;
    }

    /** Whether it has room, beside those before it, at each instant at which one of them begins. */
    private void checkRoom(String name, String need, Hold later, List<Hold> met, long capacity) {
        List<Hold> all = new ArrayList<>(met);
        all.add(later);
        long most =
                all.stream()
                        .map(hold -> hold.window().start())
                        .filter(later.window()::contains)
                        .mapToLong(
                                at ->
                                        all.stream()
                                                .filter(hold -> hold.window().contains(at))
                                                .mapToLong(hold -> taken(hold, need))
                                                .sum())
                        .max()
                        .orElse(0);
        if (most > capacity && taken(later, need) > 0) {
            plan.isObstructed(
                    later.lease().toString(),
                    "takes %s beyond what it has: %s of %s %s"
                            .formatted(name, most, capacity, need));
        }
    }

    private static long taken(Hold hold, String need) {
        return switch (hold.demand()) {
            case Demand.Whole _ -> 0;
            case Demand.Shared shared ->
                    hold.slots() * Objects.requireNonNullElse(shared.needs().get(need), 0L);
        };
    }

    private static Map<String, String> properties(Plan.Newcomer resource) {
        Map<String, String> properties = new TreeMap<>();
        resource.enrolment()
                .attributes()
                .forEach((name, value) -> properties.put(name, String.valueOf(value)));
        properties.putAll(resource.enrolment().capabilities());
        return properties;
    }
}
