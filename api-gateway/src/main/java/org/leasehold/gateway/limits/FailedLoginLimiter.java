package org.leasehold.gateway.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import java.time.Duration;
import java.util.Optional;

/**
 * The sources of failed logins: an address with the user that it claims to be. After some failures
 * a source has to pause, twice as long after each further failure. Meanwhile its logins are
 * rejected without a check of the password, at no cost.
 */
public final class FailedLoginLimiter {

    private static final Duration FAILURE_RETENTION = Duration.ofMinutes(15);
    private static final int MAX_SOURCES = 100_000;

    /** The most doublings of the pause; more would exceed any longest pause. */
    private static final int MAX_DOUBLINGS = 30;

    private final LimitSettings.Logins settings;
    private final Ticker ticker;
    private final Cache<String, Failures> failuresBySource;

    public FailedLoginLimiter(LimitSettings.Logins settings) {
        this(settings, Ticker.systemTicker());
    }

    FailedLoginLimiter(LimitSettings.Logins settings, Ticker ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.failuresBySource =
                Caffeine.newBuilder()
                        .expireAfterWrite(FAILURE_RETENTION.plus(settings.longestPause()))
                        .maximumSize(MAX_SOURCES)
                        .ticker(ticker)
                        .executor(Runnable::run)
                        .build();
    }

    /** A count of failures in a row, and the time until which logins are rejected. */
    private record Failures(int count, long until) {}

    /** Returns how long a source still has to pause; empty if it may try. */
    public Optional<Duration> remainingPause(String source) {
        Failures known = failuresBySource.getIfPresent(source);
        long left = known == null ? 0 : known.until() - ticker.read();
        return left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }

    /** Counts a failed login of a source. */
    public void recordFailure(String source) {
        failuresBySource
                .asMap()
                .compute(
                        source,
                        (_, known) -> {
                            int count = known == null ? 1 : known.count() + 1;
                            return new Failures(count, ticker.read() + pauseAfter(count).toNanos());
                        });
    }

    /** Forgets the failures of a source that knows the password. */
    public void recordSuccess(String source) {
        failuresBySource.invalidate(source);
    }

    private Duration pauseAfter(int failures) {
        int beyond = failures - settings.failures();
        if (beyond < 0) {
            return Duration.ZERO;
        }
        Duration pause = settings.pause().multipliedBy(1L << Math.min(beyond, MAX_DOUBLINGS));
        return pause.compareTo(settings.longestPause()) < 0 ? pause : settings.longestPause();
    }
}
