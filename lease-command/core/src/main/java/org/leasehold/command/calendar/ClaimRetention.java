package org.leasehold.command.calendar;

import java.time.Instant;

/** Deletes claims that are long over; the events still contain them. */
public interface ClaimRetention {

    /**
     * Deletes claims that ended before an instant, cleaning included.
     *
     * @return how many; when it is {@code limit}, there may be more
     */
    int deleteClaimsBefore(Instant instant, int limit);
}
