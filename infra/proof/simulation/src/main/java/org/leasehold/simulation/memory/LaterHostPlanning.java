package org.leasehold.simulation.memory;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Plans hosts that start after the others of their lease. A running reservation of fewer hosts
 * keeps all of them until the cloud has confirmed that it has taken the others back.
 *
 * @param before the kinds that they start after
 */
public record LaterHostPlanning(Planning hosts, Set<ResourceKind> before) implements Planning {

    /** The limits that apply once the cloud has confirmed a change, by the names of the others. */
    private static final Map<String, String> CONFIRMED =
            Map.of("min", "confirmed_min", "max", "confirmed_max");

    public LaterHostPlanning {
        before = Set.copyOf(before);
    }

    /** Returns the number of hosts that remain after a change; empty without such a change. */
    static Optional<Integer> remaining(Map<String, @Nullable Object> parameters) {
        return Optional.ofNullable(parameters.get(CONFIRMED.get("max")))
                .map(number -> ((Number) number).intValue());
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return switch (hosts.plan(parameters)) {
            case Plan.Planned planned -> with(planned, confirmedOf(parameters));
            case Plan.Invalid invalid -> invalid;
        };
    }

    private static Map<String, @Nullable Object> confirmedOf(
            Map<String, @Nullable Object> parameters) {
        Map<String, @Nullable Object> confirmed = new HashMap<>();
        for (String name : CONFIRMED.values()) {
            if (parameters.get(name) != null) {
                confirmed.put(name, parameters.get(name));
            }
        }
        return confirmed;
    }

    private static Plan.Planned with(Plan.Planned planned, Map<String, @Nullable Object> further) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(planned.parameters());
        all.putAll(further);
        return new Plan.Planned(all, planned.demands());
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return switch (hosts.change(current, requested(changes), running)) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    running && maximum(planned.parameters()) < maximum(current)
                            ? keeping(current, planned)
                            : planned;
        };
    }

    /** Returns the requested limits; a replay has them by the names of the stored request. */
    private static Map<String, @Nullable Object> requested(Map<String, @Nullable Object> changes) {
        Map<String, @Nullable Object> requested = new HashMap<>(changes);
        CONFIRMED.forEach(
                (name, later) -> {
                    Object value = requested.remove(later);
                    if (value != null) {
                        requested.put(name, value);
                    }
                });
        return requested;
    }

    private static int maximum(Map<String, @Nullable Object> parameters) {
        return ((Number) Objects.requireNonNull(parameters.get("max"))).intValue();
    }

    private Plan keeping(Map<String, @Nullable Object> current, Plan.Planned smaller) {
        Map<String, @Nullable Object> confirmed = new HashMap<>();
        CONFIRMED.forEach((name, later) -> confirmed.put(later, smaller.parameters().get(name)));
        return with((Plan.Planned) hosts.plan(current), confirmed);
    }

    /** Returns true for each other number of hosts: the cloud must take hosts back. */
    @Override
    public boolean needsAdjustment(
            Map<String, @Nullable Object> present, Map<String, @Nullable Object> after) {
        return !confirmedOf(present).equals(confirmedOf(after));
    }

    @Override
    public boolean replacesFailedResources() {
        return hosts.replacesFailedResources();
    }

    @Override
    public Optional<Plan.Planned> planConfirmed(Map<String, @Nullable Object> parameters) {
        Map<String, @Nullable Object> smaller = new HashMap<>(parameters);
        CONFIRMED.forEach((name, later) -> smaller.put(name, parameters.get(later)));
        return remaining(parameters).map(_ -> (Plan.Planned) hosts.plan(smaller));
    }

    @Override
    public boolean preparesStart(Map<String, @Nullable Object> parameters) {
        return hosts.preparesStart(parameters);
    }

    @Override
    public Set<ResourceKind> startsAfter() {
        return before;
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        return hosts.render(wish);
    }

    @Override
    public String plural() {
        return hosts.plural();
    }
}
