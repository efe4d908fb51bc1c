package org.leasehold.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import java.time.Instant;

/**
 * Why the calendar cannot hold a reservation. Where resources are shared, what is counted are slots
 * of the size that was asked for, as far as they lie as was asked for.
 *
 * @param kind the resources that are short
 * @param wanted the reservation's minimum
 * @param matching how many enrolled and enabled resources meet its requirement at all
 * @param free how many of those are free throughout the window
 * @param part the part of the window in which the fewest are free
 * @param freeInPart how many are free throughout that part
 * @param nextStart the earliest later start at which a window of the same length would be held;
 *     null when there is none within the horizon that was searched, or when none was searched. A
 *     request gets it for its first few different wishes; an event does not have it, because it is
 *     searched after the decision.
 */
public record Shortage(
        ReservationId reservation,
        ResourceKind kind,
        int wanted,
        int matching,
        int free,
        LeasePeriod part,
        int freeInPart,
        @Nullable Instant nextStart) {

    /** The same shortage, once another start was looked for. */
    public Shortage withNextStart(@Nullable Instant start) {
        return new Shortage(reservation, kind, wanted, matching, free, part, freeInPart, start);
    }

    /** By how many resources the window is short. */
    public int missing() {
        return wanted - free;
    }
}
