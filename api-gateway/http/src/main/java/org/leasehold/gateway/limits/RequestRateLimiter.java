package org.leasehold.gateway.limits;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** A rate limit per owner; an owner beyond its rate and a burst has to wait. */
public final class RequestRateLimiter {

    private static final int MAX_OWNERS = 100_000;

    private final @Nullable LoadingCache<String, Bucket> bucketsByOwner;

    public RequestRateLimiter(LimitSettings.Requests settings) {
        this(settings, TimeMeter.SYSTEM_NANOTIME);
    }

    RequestRateLimiter(LimitSettings.Requests settings, TimeMeter time) {
        if (settings.perSecond() == 0) {
            bucketsByOwner = null;
            return;
        }
        // A bucket that is unused for so long is full, as a new one is.
        Duration full =
                Duration.ofSeconds(1 + Math.ceilDiv(settings.burst(), settings.perSecond()));
        bucketsByOwner =
                Caffeine.newBuilder()
                        .expireAfterAccess(full)
                        .maximumSize(MAX_OWNERS)
                        .ticker(time::currentTimeNanos)
                        .build(_ -> bucket(settings, time));
    }

    private static Bucket bucket(LimitSettings.Requests settings, TimeMeter time) {
        return Bucket.builder()
                .addLimit(
                        limit ->
                                limit.capacity(settings.burst())
                                        .refillGreedy(settings.perSecond(), Duration.ofSeconds(1)))
                .withCustomTimePrecision(time)
                .build();
    }

    /** Counts a request; returns how long its owner has to wait first, if there were too many. */
    public Optional<Duration> countRequest(String owner) {
        if (bucketsByOwner == null) {
            return Optional.empty();
        }
        ConsumptionProbe probe = bucketsByOwner.get(owner).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }
}
