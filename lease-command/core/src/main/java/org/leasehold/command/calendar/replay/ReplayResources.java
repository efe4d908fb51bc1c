package org.leasehold.command.calendar.replay;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.claim.Holders.Condition;
import org.leasehold.command.calendar.claim.Holders.Hand;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The resources of a {@link ReplayCalendar}. */
final class ReplayResources implements InventoryCache.Source {

    private final TreeMap<ResourceId, CachedResource> resources = new TreeMap<>();
    private final Map<ResourceId, String> disabledReasons = new HashMap<>();
    private final Map<ResourceId, String> retiredNames = new HashMap<>();
    private List<ResourceId> preferred = List.of();
    private long version;

    /** Adds the resource, or replaces its data. */
    void put(CachedResource resource, @Nullable String disabledReason) {
        version++;
        resources.put(resource.id(), resource);
        if (disabledReason == null) {
            disabledReasons.remove(resource.id());
        } else {
            disabledReasons.put(resource.id(), disabledReason);
        }
    }

    void retire(ResourceId id) {
        version++;
        CachedResource gone = resources.remove(id);
        if (gone != null) {
            retiredNames.put(id, gone.allocation().name());
        }
    }

    /** Prefers these resources to all others, where the first that fits is chosen. */
    void prefer(List<ResourceId> first) {
        if (!preferred.equals(first)) {
            version++;
            preferred = List.copyOf(first);
        }
    }

    long version() {
        return version;
    }

    Optional<CachedResource> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    Condition condition(ResourceId id, List<Hand> hands) {
        CachedResource resource = resources.get(id);
        return resource == null
                ? new Condition(
                        Objects.requireNonNullElse(retiredNames.get(id), id.toString()),
                        false,
                        null,
                        hands)
                : new Condition(
                        resource.allocation().name(),
                        resource.enrolled(),
                        disabledReasons.get(id),
                        hands);
    }

    @Override
    public InventorySnapshot read(InventorySnapshot before) {
        List<CachedResource> inOrder = new ArrayList<>();
        preferred.stream().flatMap(id -> find(id).stream()).forEach(inOrder::add);
        resources.values().stream()
                .filter(resource -> !preferred.contains(resource.id()))
                .forEach(inOrder::add);
        return new InventorySnapshot(version, inOrder);
    }
}
