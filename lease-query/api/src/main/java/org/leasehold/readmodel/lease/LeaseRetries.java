package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;

import java.time.Instant;
import java.util.List;

/**
 * The refused attempts to create a lease that the calendar could not hold at first.
 *
 * @param attempts the newest refused attempts, oldest first; the history of the lease has all
 * @param attemptsLeft how many planned attempts are left; 0 once the lease is granted
 * @param nextAttemptAt the time of the next planned attempt; null once the lease is granted
 */
public record LeaseRetries(
        List<Attempt> attempts, int attemptsLeft, @Nullable Instant nextAttemptAt) {

    public LeaseRetries {
        attempts = List.copyOf(attempts);
    }

    /** A refused attempt and its reasons. */
    public record Attempt(Instant at, List<Shortage> shortages) {

        public Attempt {
            shortages = List.copyOf(shortages);
        }
    }
}
