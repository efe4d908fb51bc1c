package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;

import java.time.Instant;

/**
 * What a reservation has of one resource from one instant to another, between which nothing of it
 * changes. At least one of what is promised, given and held is something.
 *
 * @param starts inclusive
 * @param ends exclusive; {@link Instant#MAX} for what goes on until something else is decided
 * @param promised what its project was to have; null for nothing
 * @param given how many slots of the resource the project has, one for a whole resource: from the
 *     confirmed start until the end begins, and none while the resource is down
 * @param held how many slots nobody else can have: from taking them up until the cloud is clean
 */
public record Stretch(
        ReservationId reservation,
        ResourceId resource,
        Instant starts,
        Instant ends,
        @Nullable Allocation promised,
        int given,
        int held) {

    /** How many slots were promised. */
    public int slots() {
        return promised == null ? 0 : promised.slots();
    }

    /** The same, for another time. */
    public Stretch during(Instant from, Instant until) {
        return new Stretch(reservation, resource, from, until, promised, given, held);
    }
}
