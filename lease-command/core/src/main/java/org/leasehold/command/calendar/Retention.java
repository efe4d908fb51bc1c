package org.leasehold.command.calendar;

import java.time.Instant;

/** Forgets claims that are long over; the events keep their memory. */
public interface Retention {

    /**
     * Removes claims that ended before an instant, cleaning included.
     *
     * @return how many; when it is {@code atMost}, there may be more
     */
    int forgetClaimsBefore(Instant instant, int atMost);
}
