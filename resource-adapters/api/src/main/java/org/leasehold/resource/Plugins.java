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

/** The enabled plug-ins. */
public interface Plugins {

    Optional<ResourcePlugin> find(ResourceKind kind);

    /** Returns the kinds that can be leased. */
    SortedSet<String> kinds();

    /** Returns the names of the plug-ins in the configuration, by kind. */
    default SortedMap<String, String> names() {
        SortedMap<String, String> names = new TreeMap<>();
        kinds().forEach(kind -> names.put(kind, kind));
        return names;
    }

    /**
     * Returns the nested parts of a reservation; empty if its plug-in is disabled.
     *
     * @param cloudIds as in {@link Planning#nested}; null for none
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
