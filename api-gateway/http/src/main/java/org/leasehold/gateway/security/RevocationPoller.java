package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.identity.Identities;
import org.leasehold.resource.identity.Identities.Revocations;
import org.leasehold.resource.identity.Revocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;

/**
 * Polls Keystone for revocations, and removes revoked tokens from the cache. It makes no calls
 * while the cache is empty.
 */
final class RevocationPoller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RevocationPoller.class);

    /** Keystone's times are whole seconds, and the clocks of its nodes may differ by some. */
    private static final Duration OVERLAP = Duration.ofSeconds(30);

    private final Identities identities;
    private final TokenCache cache;
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

    private @Nullable ScheduledFuture<?> pollingTask;
    private @Nullable Instant latestRevocation;
    private Set<Revocation> knownRevocations = Set.of();
    private boolean lastPollSucceeded = true;

    RevocationPoller(Identities identities, TokenCache cache) {
        this.identities = identities;
        this.cache = cache;
    }

    /** Starts a thread for the calls: a cloud that hangs must not block others. */
    void start(Duration interval) {
        scheduler.setThreadNamePrefix("revocations-");
        scheduler.setDaemon(true);
        scheduler.initialize();
        pollingTask = scheduler.scheduleWithFixedDelay(this::pollOnce, interval);
    }

    /** Polls once. */
    synchronized void pollOnce() {
        if (cache.isEmpty()) {
            return;
        }
        switch (identities.revocations(
                latestRevocation == null ? null : latestRevocation.minus(OVERLAP))) {
            case Revocations.Known(var revocations) -> {
                Set<Revocation> fresh = new HashSet<>(revocations);
                fresh.removeAll(knownRevocations);
                knownRevocations = revocations;
                revocations.stream()
                        .map(Revocation::at)
                        .max(Comparator.naturalOrder())
                        .ifPresent(at -> latestRevocation = at);
                if (!fresh.isEmpty()) {
                    cache.evictRevoked(fresh);
                }
                lastPollSucceeded = true;
            }
            case Revocations.Unknown(var fault) -> {
                if (lastPollSucceeded) {
                    LOG.atWarn()
                            .addKeyValue("fault", fault.message())
                            .log("revocations are unknown, so tokens live as long as the cache");
                }
                lastPollSucceeded = false;
            }
        }
    }

    @Override
    public void close() {
        if (pollingTask != null) {
            pollingTask.cancel(true);
        }
        scheduler.shutdown();
    }
}
