package org.leasehold.gateway.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import java.time.Duration;
import java.util.Optional;

/**
 * The addresses from which logins have failed. After some failures an address has to pause, twice
 * as long after each further one; what it sends meanwhile is not looked at, and costs nothing.
 */
public final class FailedLogins {

    private static final Duration REMEMBERED_FOR = Duration.ofMinutes(15);
    private static final int MOST_ADDRESSES = 100_000;

    /** More doublings are longer than any pause. */
    private static final int MOST_DOUBLINGS = 30;

    private final LimitSettings.Logins settings;
    private final Ticker ticker;
    private final Cache<String, Failures> addresses;

    public FailedLogins(LimitSettings.Logins settings) {
        this(settings, Ticker.systemTicker());
    }

    FailedLogins(LimitSettings.Logins settings, Ticker ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.addresses =
                Caffeine.newBuilder()
                        .expireAfterWrite(REMEMBERED_FOR.plus(settings.longestPause()))
                        .maximumSize(MOST_ADDRESSES)
                        .ticker(ticker)
                        .executor(Runnable::run)
                        .build();
    }

    /** How often in a row, and until when nothing more is looked at. */
    private record Failures(int count, long until) {}

    /** How long an address has to pause yet; empty if it may try. */
    public Optional<Duration> pause(String address) {
        Failures known = addresses.getIfPresent(address);
        long left = known == null ? 0 : known.until() - ticker.read();
        return left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }

    /** A login from this address has failed. */
    public void failed(String address) {
        addresses
                .asMap()
                .compute(
                        address,
                        (_, known) -> {
                            int count = known == null ? 1 : known.count() + 1;
                            return new Failures(count, ticker.read() + pauseAfter(count).toNanos());
                        });
    }

    /** Somebody at this address knows a password. */
    public void succeeded(String address) {
        addresses.invalidate(address);
    }

    private Duration pauseAfter(int failures) {
        int beyond = failures - settings.failures();
        if (beyond < 0) {
            return Duration.ZERO;
        }
        Duration pause = settings.pause().multipliedBy(1L << Math.min(beyond, MOST_DOUBLINGS));
        return pause.compareTo(settings.longestPause()) < 0 ? pause : settings.longestPause();
    }
}
