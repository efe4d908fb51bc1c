package org.leasehold.gateway.security;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Identities;
import org.leasehold.resource.identity.Identities.Validation;
import org.leasehold.resource.identity.Revocation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * A cache of the owners of tokens, so that not each request calls the cloud. Requests with the same
 * token at the same time share one call. The cache stores digests, not tokens.
 */
final class TokenCache {

    /** A caller that tries wrong tokens in a row gets the response from the cache. */
    private static final Duration REFUSAL_TTL = Duration.ofSeconds(5);

    /** While the cloud hangs, most threads of the server must stay free for cached callers. */
    private static final int MAX_CONCURRENT_VALIDATIONS = 16;

    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);

    /** Characters that can be sent in a header. */
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1,8000}");

    private final Identities identities;
    private final Duration cacheTime;
    private final Clock clock;
    private final AsyncCache<String, Validation> cache;
    private final Semaphore validationSlots = new Semaphore(MAX_CONCURRENT_VALIDATIONS);
    private final AtomicLong evictionCount = new AtomicLong();

    TokenCache(Identities identities, AuthenticationSettings settings, Clock clock) {
        this.identities = identities;
        this.cacheTime = settings.cacheTime();
        this.clock = clock;
        this.cache =
                Caffeine.newBuilder()
                        .maximumSize(settings.mostCached())
                        .ticker(() -> sinceEpoch(clock.instant()))
                        .expireAfter(Expiry.<String, Validation>creating((key, v) -> timeToLive(v)))
                        // The next user of the cache does its maintenance; it needs no thread.
                        .executor(Runnable::run)
                        .buildAsync();
    }

    Validation validate(String token) {
        if (!TOKEN.matcher(token).matches()) {
            return new Validation.Refused();
        }
        String key = digest(token);
        CompletableFuture<Validation> pending = new CompletableFuture<>();
        CompletableFuture<Validation> known = cache.asMap().putIfAbsent(key, pending);
        if (known == null) {
            return validateInCloud(token, key, pending);
        }
        try {
            return known.join();
        } catch (CompletionException failed) {
            return unknown("The question to the cloud failed");
        }
    }

    private Validation validateInCloud(
            String token, String key, CompletableFuture<Validation> pending) {
        long before = evictionCount.get();
        try {
            Validation answer = validateInCloud(token);
            if (timeToLive(answer).isZero()) {
                cache.asMap().remove(key, pending);
            }
            pending.complete(answer);
            if (evictionCount.get() != before) {
                // The pending result could not be searched for what was revoked meanwhile.
                cache.asMap().remove(key, pending);
            }
            return answer;
        } finally {
            // Has an effect only after a defect of ours; the cache then drops the entry.
            pending.completeExceptionally(new IllegalStateException("no answer"));
        }
    }

    private Validation validateInCloud(String token) {
        try {
            if (!validationSlots.tryAcquire(VALIDATION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                return unknown("Too many wait for the cloud to say whose tokens they have");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return unknown("The server stops");
        }
        try {
            return identities.validate(token);
        } finally {
            validationSlots.release();
        }
    }

    /** Drops all that a revocation may concern; their next request calls the cloud. */
    void evictRevoked(Collection<Revocation> revocations) {
        evictionCount.incrementAndGet();
        cache.synchronous()
                .asMap()
                .values()
                .removeIf(
                        known ->
                                known instanceof Validation.Valid(var identity)
                                        && revocations.stream()
                                                .anyMatch(r -> r.mayConcern(identity)));
    }

    boolean isEmpty() {
        return cache.asMap().isEmpty();
    }

    private Duration timeToLive(Validation answer) {
        Duration life =
                switch (answer) {
                    case Validation.Valid(var identity) ->
                            Duration.between(clock.instant(), identity.expires());
                    case Validation.Refused refused -> REFUSAL_TTL;
                    case Validation.Unknown unknown -> Duration.ZERO;
                };
        Duration bounded = life.compareTo(cacheTime) < 0 ? life : cacheTime;
        return bounded.isNegative() ? Duration.ZERO : bounded;
    }

    private static Validation unknown(String why) {
        return new Validation.Unknown(new Fault(Fault.Kind.RETRYABLE, why));
    }

    private static long sinceEpoch(Instant now) {
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private static String digest(String token) {
        try {
            byte[] bytes = token.getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }
}
