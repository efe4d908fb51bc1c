package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.Optional;

/** The inventory as it was, for who wants to know what an event changed of it. */
public interface PastInventory {

    /**
     * A resource.
     *
     * @param asOf the position of the last event of all that had happened
     * @return empty if it had not been enrolled yet, or was retired already
     */
    Optional<ResourceView> resource(ResourceId id, long asOf);

    /**
     * Who saw a property of resources.
     *
     * @param property its plain name
     * @param asOf the position of the last event of all that had happened
     */
    Visibility visibility(ResourceKind kind, String property, long asOf);

    /**
     * Who sees a property.
     *
     * @param hidden whether only administrators do
     * @param updatedAt since when; null if nobody has ever said anything about it
     */
    record Visibility(boolean hidden, @Nullable Instant updatedAt) {}
}
