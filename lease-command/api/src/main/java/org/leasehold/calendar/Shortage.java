package org.leasehold.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;

/**
 * The reason why the calendar cannot hold a reservation. For shared resources, the numbers count
 * slots of the requested size and distribution.
 *
 * @param kind the kind of the resources that are short
 * @param wanted the reservation's minimum
 * @param matching the number of enrolled and enabled resources that meet the requirement
 * @param free the number of those that are free throughout the window
 * @param part the part of the window in which the fewest are free
 * @param freeInPart the number that are free throughout that part
 * @param nextStart the earliest later start at which the calendar could hold a window of this
 *     length. It is null if the searched horizon has none, or without a search. A response has it
 *     for the first few different requests. An event does not, because the search follows the
 *     decision.
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

    /** Returns the same shortage with the result of a search for a later start. */
    public Shortage withNextStart(@Nullable Instant start) {
        return new Shortage(reservation, kind, wanted, matching, free, part, freeInPart, start);
    }

    /** Returns the number of missing resources. */
    public int missing() {
        return wanted - free;
    }
}
