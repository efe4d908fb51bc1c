package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The plan of the attempts to create a lease that the calendar cannot hold yet.
 *
 * @param attempt the number of the refused attempt; 1 for the request itself
 * @param attemptsLeft how many planned attempts are left; at least 1
 * @param interval the time between two planned attempts
 * @param nextAttempt the time of the next planned attempt
 * @param until the first instant at which the window can no longer be met
 * @param earlyAttempts how many early attempts were refused so far; null for none
 * @param earlyFrom the time from which another early attempt is possible; null if none was refused
 *     so far
 */
public record RetryPlan(
        int attempt,
        int attemptsLeft,
        Duration interval,
        Instant nextAttempt,
        Instant until,
        @Nullable Integer earlyAttempts,
        @Nullable Instant earlyFrom) {

    /** Creates a plan without early attempts. */
    public RetryPlan(
            int attempt, int attemptsLeft, Duration interval, Instant nextAttempt, Instant until) {
        this(attempt, attemptsLeft, interval, nextAttempt, until, null, null);
    }

    /**
     * Returns the plan after the refusal of a request. A window that begins later is met until a
     * minute after its start, as a new request is; a window that has begun is met before its end.
     *
     * @param attempts how many attempts follow at most
     * @return empty if no attempt could meet the window
     */
    public static Optional<RetryPlan> first(
            LeasePeriod period, int attempts, Duration interval, Instant now) {
        Instant until =
                period.start().isAfter(now)
                        ? earlier(endOfMinute(period.start()), period.end())
                        : period.end();
        return new RetryPlan(0, attempts + 1, interval, now, until).next(period, now);
    }

    /**
     * Returns the plan after the refusal of the next attempt, which does not end the pause of early
     * ones; empty if that was the last one.
     */
    public Optional<RetryPlan> next(LeasePeriod period, Instant now) {
        Instant next = nextAfter(period.start(), now);
        return attemptsLeft > 1 && next.isAfter(now) && next.isBefore(until)
                ? Optional.of(
                        new RetryPlan(
                                attempt + 1,
                                attemptsLeft - 1,
                                interval,
                                next,
                                until,
                                earlyAttempts,
                                earlyFrom))
                : Optional.empty();
    }

    /** Returns the time after an interval, but not after a start that is still ahead. */
    private Instant nextAfter(Instant start, Instant now) {
        Instant next = now.plus(interval);
        if (start.isAfter(now) && next.isAfter(start)) {
            next = start;
        }
        // The stored time of the attempt has this precision, and a replay compares the two.
        return next.truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * Returns whether the request may be tried now, before the next planned attempt. There are at
     * most as many early attempts as planned ones.
     */
    public boolean allowsEarly(Instant now) {
        return now.isBefore(nextAttempt)
                && (earlyFrom == null || !now.isBefore(earlyFrom))
                && hasEarlyLeft();
    }

    /** Returns whether another early attempt is possible at some time. */
    public boolean hasEarlyLeft() {
        return earlyCount() < attempt - 1 + attemptsLeft;
    }

    /**
     * Returns the plan after the refusal of an early attempt, which does not count.
     *
     * @param pause the time until another one is possible
     */
    public RetryPlan afterEarly(Duration pause, Instant now) {
        return new RetryPlan(
                attempt,
                attemptsLeft,
                interval,
                nextAttempt,
                until,
                earlyCount() + 1,
                now.plus(pause).truncatedTo(ChronoUnit.MICROS));
    }

    /** Returns the number of refused early attempts. */
    public int earlyCount() {
        return earlyAttempts == null ? 0 : earlyAttempts;
    }

    /** Returns the end of the minute of a start; as a request, it may be up to a minute old. */
    private static Instant endOfMinute(Instant start) {
        return start.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
