package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Holders.Condition;
import org.leasehold.command.calendar.Holders.Hand;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The resources of a {@link PaperCalendar}. */
final class PaperResources implements Inventories.Source {

    private final TreeMap<ResourceId, KnownResource> resources = new TreeMap<>();
    private final Map<ResourceId, String> reasons = new HashMap<>();
    private final Map<ResourceId, String> retired = new HashMap<>();
    private List<ResourceId> preferred = List.of();
    private long version;

    /** Adds the resource, or replaces what was known of it. */
    void put(KnownResource resource, @Nullable String disabledReason) {
        version++;
        resources.put(resource.id(), resource);
        if (disabledReason == null) {
            reasons.remove(resource.id());
        } else {
            reasons.put(resource.id(), disabledReason);
        }
    }

    void retire(ResourceId id) {
        version++;
        KnownResource gone = resources.remove(id);
        if (gone != null) {
            retired.put(id, gone.allocation().name());
        }
    }

    /** Those are chosen before all others, where the first that fits is taken. */
    void prefer(List<ResourceId> first) {
        if (!preferred.equals(first)) {
            version++;
            preferred = List.copyOf(first);
        }
    }

    long version() {
        return version;
    }

    Optional<KnownResource> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    Condition condition(ResourceId id, List<Hand> hands) {
        KnownResource resource = resources.get(id);
        return resource == null
                ? new Condition(
                        Objects.requireNonNullElse(retired.get(id), id.toString()),
                        false,
                        null,
                        hands)
                : new Condition(
                        resource.allocation().name(), resource.enrolled(), reasons.get(id), hands);
    }

    @Override
    public Inventory read(Inventory before) {
        List<KnownResource> inOrder = new ArrayList<>();
        preferred.stream().flatMap(id -> find(id).stream()).forEach(inOrder::add);
        resources.values().stream()
                .filter(resource -> !preferred.contains(resource.id()))
                .forEach(inOrder::add);
        return new Inventory(version, inOrder);
    }
}
