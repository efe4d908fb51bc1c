package org.leasehold.readmodel.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.Optional;

/** The inventory of the past, to find what an event changed. */
public interface PastInventory {

    /**
     * Returns a resource as of an event.
     *
     * @param asOf the position of the last event to include
     * @return empty if it was not enrolled yet, or was retired already
     */
    Optional<ResourceView> resource(ResourceId id, long asOf);

    /**
     * Returns the visibility of a property as of an event.
     *
     * @param property its plain name
     * @param asOf the position of the last event to include
     */
    Visibility visibility(ResourceKind kind, String property, long asOf);

    /**
     * The visibility of a property.
     *
     * @param hidden whether only administrators see it
     * @param updatedAt the time of its last change; null if it was never set
     */
    record Visibility(boolean hidden, @Nullable Instant updatedAt) {}
}
