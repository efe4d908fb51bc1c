package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Nested;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** The plugins that are switched on. */
public interface Plugins {

    Optional<ResourcePlugin> find(ResourceKind kind);

    /** The kinds that can be leased. */
    SortedSet<String> kinds();

    /** The names of the plugins in the configuration, by kind. */
    default SortedMap<String, String> names() {
        SortedMap<String, String> names = new TreeMap<>();
        kinds().forEach(kind -> names.put(kind, kind));
        return names;
    }

    /**
     * What a reservation is made of; nothing that is known of where its plugin is switched off.
     *
     * @param cloudIds as {@link Planning#nested} has them; null for none
     */
    default List<Nested> nested(ReservationWish wish, @Nullable Map<String, Object> cloudIds) {
        return find(wish.kind())
                .map(
                        plugin ->
                                plugin.planning()
                                        .nested(wish, cloudIds == null ? Map.of() : cloudIds))
                .orElse(List.of());
    }
}
