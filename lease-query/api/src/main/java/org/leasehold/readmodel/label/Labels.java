package org.leasehold.readmodel.label;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.util.Map;
import java.util.Set;

/**
 * Names beside ids: of leases, also deleted ones, and of resources, also retired ones. One query
 * reads all names of a page. They are for callers who may see the leases: no role is checked here.
 */
public interface Labels {

    /**
     * Returns the labels of leases. A refused lease has one, too; an unknown id has none.
     *
     * @param asOf the position of the last event to include; null for the current names
     */
    Map<LeaseId, LeaseLabel> leases(Set<LeaseId> ids, @Nullable Long asOf);

    /** Returns the current labels of resources; an unknown id has none. */
    Map<ResourceId, ResourceLabel> resources(Set<ResourceId> ids);

    /**
     * The label of a lease.
     *
     * @param user the user who requested it
     * @param kinds the kinds of its reservations
     */
    record LeaseLabel(
            String name, ProjectId project, UserId user, Map<ReservationId, ResourceKind> kinds) {

        public LeaseLabel {
            kinds = Map.copyOf(kinds);
        }
    }

    /**
     * The label of a resource.
     *
     * @param zone an availability zone; null if it has none
     */
    record ResourceLabel(String name, @Nullable String zone) {}
}
