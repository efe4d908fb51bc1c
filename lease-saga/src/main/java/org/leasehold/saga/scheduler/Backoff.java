package org.leasehold.saga.scheduler;

import java.time.Duration;

/**
 * How long to wait before the next attempt: twice as long after each failure, up to a limit.
 *
 * @param first the wait after the first failure
 * @param longest no wait is longer
 */
public record Backoff(Duration first, Duration longest) {

    public static final Backoff USUAL = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    /**
     * The wait after so many failures. A tenth of it depends on the key, so that what failed
     * together does not come back together.
     *
     * @param failures at least 1
     */
    public Duration after(int failures, String key) {
        long wait = first.toMillis() << Math.min(failures - 1, 20);
        long bounded = Math.min(wait, longest.toMillis());
        return Duration.ofMillis(
                bounded - Math.floorMod(key.hashCode() + failures, bounded / 10 + 1));
    }
}
