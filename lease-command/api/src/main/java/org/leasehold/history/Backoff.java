package org.leasehold.history;

import java.time.Duration;

/**
 * The pause before the next attempt: twice as long after each failure, up to a limit.
 *
 * @param first the pause after the first failure
 * @param longest no pause is longer
 */
public record Backoff(Duration first, Duration longest) {

    public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    /**
     * Returns the pause after so many failures.
     *
     * @param failures at least 1
     */
    public Duration delayAfter(int failures) {
        long wait = first.toMillis() << Math.min(failures - 1, 20);
        return Duration.ofMillis(Math.min(wait, longest.toMillis()));
    }

    /**
     * Returns the pause after so many failures. A tenth of it depends on the key, so that
     * simultaneous failures are not retried together.
     *
     * @param failures at least 1
     */
    public Duration delayAfter(int failures, String key) {
        Duration delay = delayAfter(failures);
        return delay.minusMillis(
                Math.floorMod(key.hashCode() + failures, delay.toMillis() / 10 + 1));
    }
}
