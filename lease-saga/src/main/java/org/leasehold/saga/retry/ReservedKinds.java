package org.leasehold.saga.retry;

import static java.util.stream.Collectors.toCollection;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;

import java.util.LinkedHashSet;
import java.util.Set;

/** The kinds of resources that a reservation has, which its plug-in knows. */
public record ReservedKinds(Plugins plugins) {

    /** Returns the kinds; without the plug-in, that of the reservation itself. */
    Set<ResourceKind> of(ReservationWish wish) {
        return plugins.find(wish.kind())
                .map(plugin -> plugin.planning().plan(wish.parameters()))
                .map(plan -> kinds(plan, wish.kind()))
                .orElseGet(() -> Set.of(wish.kind()));
    }

    private static Set<ResourceKind> kinds(Plan plan, ResourceKind kind) {
        return switch (plan) {
            case Plan.Planned planned ->
                    planned.demands().stream()
                            .map(Demand::kind)
                            .collect(toCollection(LinkedHashSet::new));
            case Plan.Invalid _ -> Set.of(kind);
        };
    }
}
