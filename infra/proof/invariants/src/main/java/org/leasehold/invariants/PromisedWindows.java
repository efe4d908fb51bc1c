package org.leasehold.invariants;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The promised windows of each resource, by reservation. */
public final class PromisedWindows {

    private final Map<ResourceId, Map<ReservationId, Window>> windows = new TreeMap<>();
    private final Set<ResourceId> changed = new TreeSet<>();

    /** Returns the promises of a resource; some may be empty. */
    public Map<ReservationId, Window> ofResource(ResourceId resource) {
        return windows.getOrDefault(resource, Map.of());
    }

    boolean isFree(ResourceId resource, Window window, Set<ReservationId> own) {
        return ofResource(resource).entrySet().stream()
                .filter(promise -> !own.contains(promise.getKey()))
                .noneMatch(promise -> promise.getValue().overlaps(window));
    }

    void add(ResourceId resource, ReservationId reservation, Window window) {
        windows.computeIfAbsent(resource, _ -> new LinkedHashMap<>()).put(reservation, window);
        changed.add(resource);
    }

    void remove(ResourceId resource, ReservationId reservation) {
        if (windows.getOrDefault(resource, new LinkedHashMap<>()).remove(reservation) != null) {
            changed.add(resource);
        }
    }

    void removeAll(ReservationId reservation) {
        windows.keySet().forEach(resource -> remove(resource, reservation));
    }

    void change(ResourceId resource, ReservationId reservation, UnaryOperator<Window> change) {
        Map<ReservationId, Window> promised = windows.getOrDefault(resource, new LinkedHashMap<>());
        if (promised.computeIfPresent(reservation, (_, window) -> change.apply(window)) != null) {
            changed.add(resource);
        }
    }

    Set<ResourceId> resources() {
        return windows.keySet();
    }

    /** Marks a resource as changed, other than in its promises. */
    void markChanged(ResourceId resource) {
        changed.add(resource);
    }

    /**
     * Reports double promises since the last check; returns the resources with any change. Call it
     * between transactions: inside one, two reservations may swap resources.
     */
    Set<ResourceId> check(Consumer<String> complaints) {
        Set<ResourceId> checked = Set.copyOf(changed);
        changed.clear();
        for (ResourceId resource : new TreeSet<>(checked)) {
            List<Map.Entry<ReservationId, Window>> inOrder =
                    ofResource(resource).entrySet().stream()
                            .filter(promise -> !promise.getValue().isEmpty())
                            .sorted(Comparator.comparing(promise -> promise.getValue().start()))
                            .toList();
            for (int next = 1; next < inOrder.size(); next++) {
                if (inOrder.get(next - 1).getValue().overlaps(inOrder.get(next).getValue())) {
                    complaints.accept(
                            "%s is promised twice: %s, %s"
                                    .formatted(resource, inOrder.get(next - 1), inOrder.get(next)));
                }
            }
        }
        return checked;
    }

    /** Deletes promises that ended before an instant. */
    public void removeEndedBefore(Instant instant) {
        windows.values()
                .forEach(
                        promised ->
                                promised.values()
                                        .removeIf(w -> w.isEmpty() || !w.end().isAfter(instant)));
    }
}
