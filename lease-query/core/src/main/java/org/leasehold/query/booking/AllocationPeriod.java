package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;

/**
 * A reservation's use of one resource from one instant to another, between which nothing changes.
 * At least one of promised, given and held is not empty.
 *
 * @param starts inclusive
 * @param ends exclusive; {@link Instant#MAX} if it lasts until another decision
 * @param promised the project's allocation; null for none
 * @param given how many slots of the resource the project has, one for a whole resource: from the
 *     confirmed start until the end begins, and none while the resource is down
 * @param held the slots that no other lease can have: from the start until the cloud is clean
 */
public record AllocationPeriod(
        ReservationId reservation,
        ResourceId resource,
        Instant starts,
        Instant ends,
        @Nullable Allocation promised,
        int given,
        int held) {

    /** Returns the number of promised slots. */
    public int slots() {
        return promised == null ? 0 : promised.slots();
    }

    /** Returns the same for another period. */
    public AllocationPeriod withPeriod(Instant from, Instant until) {
        return new AllocationPeriod(reservation, resource, from, until, promised, given, held);
    }
}
