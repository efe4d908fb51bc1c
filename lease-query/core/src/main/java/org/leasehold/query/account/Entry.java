package org.leasehold.query.account;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;

import java.time.Duration;
import java.time.Instant;

/**
 * A line of a lease's account.
 *
 * @param promised what its project was to have then; null for nothing
 * @param slots of the resource; one for the whole of it
 * @param starts inclusive
 * @param ends exclusive
 */
public record Entry(
        ReservationId reservation,
        ResourceId resource,
        @Nullable Allocation promised,
        What what,
        int slots,
        Instant starts,
        Instant ends) {

    /** What it was. */
    public enum What {
        /** Promised, and given. */
        ACTIVE,
        /** Promised and not given: the start took its time, was late, or failed. */
        LOST,
        /** Not promised, but still in its hands: the end took its time, or was late. */
        OVERRUN
    }

    /** How long, times the slots. */
    public Duration time() {
        return Duration.between(starts, ends).multipliedBy(slots);
    }

    /** Whether it is the same, and begins where the other ends. */
    boolean continues(Entry before) {
        return starts.equals(before.ends) && equals(before.during(starts, ends));
    }

    Entry during(Instant from, Instant until) {
        return new Entry(reservation, resource, promised, what, slots, from, until);
    }
}
