package org.leasehold.query.account;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;

/**
 * A line of a lease's account.
 *
 * @param promised the project's allocation at the time; null for none
 * @param slots of the resource; one for the whole of it
 * @param starts inclusive
 * @param ends exclusive
 */
public record AccountEntry(
        ReservationId reservation,
        ResourceId resource,
        @Nullable Allocation promised,
        What what,
        int slots,
        Instant starts,
        Instant ends) {

    /** The type of a line. */
    public enum What {
        /** Promised, and given. */
        ACTIVE,
        /** Promised and not given: the start took time, was late, or failed. */
        LOST,
        /** Not promised, but still held: the end took time, or was late. */
        OVERRUN
    }

    /** Returns the duration, times the slots. */
    public Duration time() {
        return Duration.between(starts, ends).multipliedBy(slots);
    }

    /** Returns whether this entry equals another and begins where that one ends. */
    boolean continues(AccountEntry before) {
        return starts.equals(before.ends) && equals(before.during(starts, ends));
    }

    AccountEntry during(Instant from, Instant until) {
        return new AccountEntry(reservation, resource, promised, what, slots, from, until);
    }
}
