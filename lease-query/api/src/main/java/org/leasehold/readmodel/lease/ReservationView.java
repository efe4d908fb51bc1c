package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A reservation as its project sees it.
 *
 * @param parameters the request, normalised by the plug-in
 * @param allocations the calendar's allocations now; empty after its end
 * @param cloudIds the cloud's ids of its objects, JSON values by name; null for nothing
 * @param missingResources whether it was given fewer resources than it was granted
 * @param resourcesChanged whether a resource of it was replaced by another one
 * @param down its resources that are down in the cloud or out of service; null for none
 * @param updatedAt the time of its last change; null before its first change
 */
public record ReservationView(
        ReservationId id,
        ResourceKind kind,
        Status status,
        Map<String, @Nullable Object> parameters,
        List<Allocation> allocations,
        @Nullable Map<String, Object> cloudIds,
        boolean missingResources,
        boolean resourcesChanged,
        @Nullable List<ResourceId> down,
        Instant createdAt,
        @Nullable Instant updatedAt) {

    public ReservationView {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        allocations = List.copyOf(allocations);
        down = down == null || down.isEmpty() ? null : List.copyOf(down);
    }

    /** Returns whether it has fewer resources now than it was granted. */
    public boolean lacksResources() {
        return missingResources || down != null;
    }

    /** The state of a reservation in its life. */
    public enum Status {
        PENDING,
        ACTIVE,
        /** Ended, and nothing of it is left in the cloud. */
        RELEASED,
        ERROR,
        /** Removed from the lease; its plug-in is taking back its resources. */
        REMOVING,
        /** Removed from the lease, and its plug-in could not take back its resources. */
        REMOVAL_FAILED;

        /** Returns whether the reservation is no longer a part of the lease. */
        public boolean isRemoved() {
            return switch (this) {
                case REMOVING, REMOVAL_FAILED -> true;
                case PENDING, ACTIVE, RELEASED, ERROR -> false;
            };
        }
    }
}
