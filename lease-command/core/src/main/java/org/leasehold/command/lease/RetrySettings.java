package org.leasehold.command.lease;

import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.InvalidRetry;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings of retries of requests that the calendar cannot hold.
 *
 * @param defaultAttempts the retries of a request that names no number; at most {@code maxAttempts}
 *     count
 * @param maxAttempts the most retries of a request
 * @param defaultInterval the time between attempts of a request that names none; at least {@code
 *     minInterval} counts
 * @param minInterval the shortest time between attempts
 * @param maxPerProject the most leases of a project that are retried at a time
 */
record RetrySettings(
        @DefaultValue("10") int defaultAttempts,
        @DefaultValue("100") int maxAttempts,
        @DefaultValue("5m") Duration defaultInterval,
        @DefaultValue("30s") Duration minInterval,
        @DefaultValue("100") int maxPerProject) {

    /** The maximum that the API's schema allows. */
    private static final int LARGEST_NUMBER = 1000;

    RetrySettings {
        requireWithin("max-attempts", maxAttempts, 1, LARGEST_NUMBER);
        requireWithin("default-attempts", defaultAttempts, 1, LARGEST_NUMBER);
        if (minInterval.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "leasehold.lease.retry.min-interval is less than a second: " + minInterval);
        }
        if (maxPerProject < 1) {
            throw new IllegalArgumentException(
                    "leasehold.lease.retry.max-per-project is less than 1: " + maxPerProject);
        }
    }

    private static void requireWithin(String name, int value, int least, int greatest) {
        if (value < least || value > greatest) {
            throw new IllegalArgumentException(
                    "leasehold.lease.retry.%s is %s to %s: %s"
                            .formatted(name, least, greatest, value));
        }
    }

    static RetrySettings defaults() {
        return new RetrySettings(10, 100, Duration.ofMinutes(5), Duration.ofSeconds(30), 100);
    }

    /** Returns settings without limits, for past decisions under any settings. */
    static RetrySettings withoutLimits() {
        return new RetrySettings(
                1, LARGEST_NUMBER, Duration.ofSeconds(1), Duration.ofSeconds(1), Integer.MAX_VALUE);
    }

    /** Checks requested retries. */
    Optional<LeaseRejection> check(Retry retry) {
        if (attempts(retry) > maxAttempts) {
            return Optional.of(new InvalidRetry(InvalidRetry.Part.ATTEMPTS, maxAttempts));
        }
        return interval(retry).compareTo(minInterval) < 0
                ? Optional.of(new InvalidRetry(InvalidRetry.Part.INTERVAL, leastSeconds()))
                : Optional.empty();
    }

    /** Returns the least permitted number of whole seconds. */
    private long leastSeconds() {
        return minInterval.plusSeconds(1).minusNanos(1).toSeconds();
    }

    int attempts(Retry retry) {
        return retry.attempts() == null ? Math.min(defaultAttempts, maxAttempts) : retry.attempts();
    }

    Duration interval(Retry retry) {
        if (retry.interval() != null) {
            return retry.interval();
        }
        return defaultInterval.compareTo(minInterval) < 0 ? minInterval : defaultInterval;
    }
}
