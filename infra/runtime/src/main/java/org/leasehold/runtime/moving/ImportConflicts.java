package org.leasehold.runtime.moving;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Resources that Blazar promised twice, or beyond their capacity. Blazar allows that, but the
 * calendar here cannot hold it.
 *
 * @param cleaning the cleaning time after each lease of a resource
 */
record ImportConflicts(ImportPlan plan, Duration cleaning) {

    /**
     * A lease's use of a resource.
     *
     * @param taken true if the lease already has the resource, false if it is only promised
     */
    private record Hold(
            ImportableLease lease, LeasePeriod window, Demand demand, int slots, boolean taken) {

        boolean isWhole() {
            return demand instanceof Demand.Whole;
        }
    }

    void reportConflicts() {
        Map<String, List<Hold>> byResource = new LinkedHashMap<>();
        Map<String, ImportPlan.Newcomer> resources = new TreeMap<>();
        for (ImportableLease lease : plan.leases()) {
            LeasePeriod window =
                    new LeasePeriod(lease.period().start(), lease.period().end().plus(cleaning));
            for (ImportableLease.ImportableReservation reservation : lease.reservations()) {
                boolean taken =
                        lease.past()
                                .of(reservation.wish().id())
                                .filter(past -> past.stage().holds())
                                .isPresent();
                ResourceKind kind = reservation.demand().kind();
                reservation
                        .slots()
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
                                                            reservation.demand(),
                                                            slots,
                                                            taken));
                                });
            }
        }
        byResource.forEach(
                (name, holds) ->
                        reportConflicts(name, Objects.requireNonNull(resources.get(name)), holds));
    }

    private void reportConflicts(String name, ImportPlan.Newcomer resource, List<Hold> holds) {
        Map<String, String> properties = properties(resource);
        for (int i = 0; i < holds.size(); i++) {
            Hold later = holds.get(i);
            List<Hold> before = holds.subList(0, i);
            before.stream()
                    .filter(other -> later.isWhole() || other.isWhole())
                    .flatMap(other -> findClash(later, other).stream())
                    .findFirst()
                    .ifPresent(
                            how ->
                                    plan.addObstacle(
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
                                                ResourceCapacity.of(properties, need)));
            }
        }
    }

    private Optional<String> findClash(Hold later, Hold other) {
        if (other.window().overlaps(later.window())) {
            return Optional.of("at the same time as " + other.lease() + cleaningHint());
        }
        // Blazar never ended one of them as it should have, however long ago its end was.
        return later.taken() && other.taken()
                ? Optional.of(
                        "in its hands, as has %s: one of the two is to be left behind"
                                .formatted(other.lease()))
                : Optional.empty();
    }

    private String cleaningHint() {
        return cleaning.isZero() ? "" : ", or within the cleaning time of " + cleaning;
    }

    /** Checks the room next to earlier leases, at each instant at which one of them begins. */
    private void checkRoom(String name, String need, Hold later, List<Hold> met, long capacity) {
        List<Hold> all = new ArrayList<>(met);
        all.add(later);
        long maxUsed =
                all.stream()
                        .map(hold -> hold.window().start())
                        .filter(later.window()::contains)
                        .mapToLong(
                                at ->
                                        all.stream()
                                                .filter(hold -> hold.window().contains(at))
                                                .mapToLong(hold -> usedAmount(hold, need))
                                                .sum())
                        .max()
                        .orElse(0);
        if (maxUsed > capacity && usedAmount(later, need) > 0) {
            plan.addObstacle(
                    later.lease().toString(),
                    "takes %s beyond what it has: %s of %s %s"
                            .formatted(name, maxUsed, capacity, need));
        }
    }

    private static long usedAmount(Hold hold, String need) {
        return switch (hold.demand()) {
            case Demand.Whole _ -> 0;
            case Demand.Shared shared ->
                    hold.slots() * Objects.requireNonNullElse(shared.needs().get(need), 0L);
        };
    }

    private static Map<String, String> properties(ImportPlan.Newcomer resource) {
        Map<String, String> properties = new TreeMap<>();
        resource.enrolment()
                .attributes()
                .forEach((name, value) -> properties.put(name, String.valueOf(value)));
        properties.putAll(resource.enrolment().capabilities());
        return properties;
    }
}
