package org.leasehold.command.calendar.stored;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.claim.Holders.Condition;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;

/**
 * A granted resource, or share of it, of which the reservation cannot become the holder.
 *
 * @param holders the reservations that still have it; empty when it is out of service
 */
record UnfitAllocation(
        Granted granted, Allocation allocation, String reason, List<ReservationId> holders) {

    /** Returns the allocation of a resource that is out of service. */
    static UnfitAllocation outOfService(
            Granted granted, Allocation allocation, Condition condition) {
        return new UnfitAllocation(granted, allocation, condition.outOfServiceReason(), List.of());
    }

    boolean isLate() {
        return !holders.isEmpty();
    }

    Demand demand(InventorySnapshot inventory) {
        return inventory.demandServedBy(allocation.resource(), granted.demands());
    }

    ResourceUse resourceUse() {
        return new ResourceUse(granted.reservation(), allocation.resource());
    }

    /** The use of a resource by a reservation. */
    record ResourceUse(ReservationId reservation, ResourceId resource) {}
}
