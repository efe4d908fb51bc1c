package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.Drift.Stray;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.reconciliation.HeldResources.Holder;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;

/** Enrolled resources outside all pools and reservations, confirmed by two readings. */
final class StrayResourceFinder {

    private final Resources resources;
    private final HeldResources held;
    private final Plugins plugins;

    StrayResourceFinder(Resources resources, HeldResources held, Plugins plugins) {
        this.resources = resources;
        this.held = held;
        this.plugins = plugins;
    }

    /** Returns nothing for a cloud that does not answer: its survey reports that. */
    List<Stray> find(List<ResourceKind> kinds) {
        List<ResourceView> strays =
                kinds.stream()
                        .flatMap(kind -> confirmedStrays(kind, resources.list(kind)).stream())
                        .toList();
        if (strays.isEmpty()) {
            return List.of();
        }
        Map<ResourceId, Holder> holders = held.currentHolders();
        return strays.stream().map(each -> stray(each, holders.get(each.id()))).toList();
    }

    private List<ResourceView> confirmedStrays(ResourceKind kind, List<ResourceView> enrolled) {
        List<ResourceView> first = readStrays(kind, enrolled);
        // A resource that was just enrolled is in transit.
        return first.isEmpty() ? first : readStrays(kind, first);
    }

    private List<ResourceView> readStrays(ResourceKind kind, List<ResourceView> enrolled) {
        if (enrolled.isEmpty()) {
            return enrolled;
        }
        return switch (plugins.find(kind)
                .orElseThrow()
                .acting()
                .inventory(enrolled.stream().map(ResourceView::name).toList())) {
            case InventoryResult.Known known ->
                    enrolled.stream().filter(each -> known.strays().contains(each.name())).toList();
            case InventoryResult.Unknown _ -> List.of();
        };
    }

    private static Stray stray(ResourceView resource, @Nullable Holder holder) {
        @Nullable ReservationId reservation = holder == null ? null : holder.reservation().id();
        return new Stray(resource.kind(), resource.id(), resource.name(), reservation);
    }
}
