package org.leasehold.gateway.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The sources of failed logins: an address with the user that it claims to be. After some failures
 * a source has to pause, twice as long after each further failure. Meanwhile its logins are
 * rejected without a check of the password, at no cost.
 *
 * <p>An address as a whole may fail more often in each minute, with any names. It then pauses
 * briefly after each further failure, so that invented names neither occupy the processors nor fill
 * the memory. This pause never grows, but under an attack other users behind the same proxy may
 * have to wait for the next minute. Users with a login that this node has checked never wait.
 */
public final class FailedLoginLimiter {

    private static final Duration FAILURE_RETENTION = Duration.ofMinutes(15);
    private static final int MAX_SOURCES = 100_000;

    /** The most doublings of the pause; more would exceed any longest pause. */
    private static final int MAX_DOUBLINGS = 30;

    /** The time after which the failures of an address count from zero. */
    private static final Duration ADDRESS_WINDOW = Duration.ofMinutes(1);

    /** How many times as often as one source an address may fail in that time before it pauses. */
    private static final int FACTOR_FOR_ADDRESS = 10;

    /** The key of an address as a whole; no source has it. */
    private static final String ALL_USERS = "";

    private final LimitSettings.Logins settings;
    private final Ticker ticker;
    private final Cache<LoginSource, Failures> failuresBySource;

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

    /**
     * Failures of a source or an address.
     *
     * @param count their number
     * @param since the time of the first one
     * @param until the time until which logins are rejected
     */
    private record Failures(int count, long since, long until) {}

    /**
     * A source of logins.
     *
     * @param address the client's address
     * @param user a key of the name, of limited length and not empty
     */
    public record LoginSource(String address, String user) {

        private LoginSource ofAllUsers() {
            return new LoginSource(address, ALL_USERS);
        }
    }

    /** Returns how long a source or its address still has to pause; empty if it may try. */
    public Optional<Duration> remainingPause(LoginSource source) {
        long now = ticker.read();
        long pause =
                Math.max(remainingNanos(source, now), remainingNanos(source.ofAllUsers(), now));
        return pause > 0 ? Optional.of(Duration.ofNanos(pause)) : Optional.empty();
    }

    private long remainingNanos(LoginSource source, long now) {
        Failures known = failuresBySource.getIfPresent(source);
        return known == null ? 0 : known.until() - now;
    }

    /** Counts a failed login of a source and of its address. */
    public void recordFailure(LoginSource source) {
        long now = ticker.read();
        recordFailure(source, now, Long.MAX_VALUE, this::pauseAfter);
        recordFailure(
                source.ofAllUsers(), now, ADDRESS_WINDOW.toNanos(), this::pauseOfAddressAfter);
    }

    private void recordFailure(
            LoginSource source, long now, long window, IntFunction<Duration> pauseAfter) {
        failuresBySource
                .asMap()
                .compute(
                        source,
                        (_, known) -> {
                            boolean isFirst = known == null || now - known.since() >= window;
                            int count = isFirst ? 1 : known.count() + 1;
                            return new Failures(
                                    count,
                                    isFirst ? now : known.since(),
                                    now + pauseAfter.apply(count).toNanos());
                        });
    }

    /**
     * Forgets the failures of a source that knows the password. Those of its address remain: one
     * user's password must not permit more guesses at others.
     */
    public void recordSuccess(LoginSource source) {
        failuresBySource.invalidate(source);
    }

    private Duration pauseOfAddressAfter(int failures) {
        return failures < FACTOR_FOR_ADDRESS * settings.failures()
                ? Duration.ZERO
                : settings.pause();
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
