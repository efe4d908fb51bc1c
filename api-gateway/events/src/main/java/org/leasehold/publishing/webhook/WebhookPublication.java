package org.leasehold.publishing.webhook;

import org.leasehold.history.RetryingThread;
import org.leasehold.publishing.Publication;
import org.leasehold.publishing.PublicationFailure;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Delivers events to webhooks, each in its own thread, so that no receiver delays another. One of
 * all nodes does so. A node that does not know yet that it lost the ownership repeats at most its
 * current messages: the database rejects its offsets.
 */
final class WebhookPublication implements Publication {

    /** The name in the table {@code publication}. */
    static final String WEBHOOKS = "webhooks";

    private static final Logger LOG = LoggerFactory.getLogger(WebhookPublication.class);

    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(50);

    /** The timeout after which retries may be due without new events. */
    private static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(1);

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final PublicationOwnership ownership;
    private final WebhookOffsetTable webhooks;
    private final WebhookDispatcher dispatcher;
    private final ProjectionOffsets projections;

    /** The webhooks with a running delivery. */
    private final Set<UUID> activeWebhooks = ConcurrentHashMap.newKeySet();

    /** The webhooks that fail for a reason inside the engine. */
    private final Set<UUID> failingWebhooks = ConcurrentHashMap.newKeySet();

    private final RetryingThread thread = new RetryingThread("publication-" + WEBHOOKS, this::run);
    private final PublicationFailure failure = new PublicationFailure(WEBHOOKS);
    private volatile boolean owned;

    WebhookPublication(
            PublicationOwnership ownership,
            WebhookOffsetTable webhooks,
            WebhookDispatcher dispatcher,
            ProjectionOffsets projections) {
        this.ownership = ownership;
        this.webhooks = webhooks;
        this.dispatcher = dispatcher;
        this.projections = projections;
    }

    @Override
    public String name() {
        return WEBHOOKS;
    }

    /** Ignores receivers that accept nothing: only their owners can change that. */
    @Override
    public long offset() {
        return webhooks.findLowestLaggingOffset().orElse(Long.MAX_VALUE);
    }

    @Override
    public boolean isFailing() {
        return failure.lasts() || !failingWebhooks.isEmpty();
    }

    @Override
    public Set<String> endedThreads() {
        return thread.endedThreads();
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void stop(Duration within) throws InterruptedException {
        thread.stop(within.minus(RELEASE_TIMEOUT), RELEASE_TIMEOUT);
    }

    /** Runs until it is stopped and the current messages have ended. */
    private void run() {
        // An interrupt cancels their waits.
        ExecutorService couriers =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("webhook-", 0).factory());
        try {
            thread.repeat(
                    () -> startDeliveries(couriers), _ -> RETRY_INTERVAL, this::recordFailure);
            couriers.shutdown();
            boolean _ = couriers.awaitTermination(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
            // The next owner repeats the unfinished work.
            couriers.shutdownNow();
        } finally {
            owned = false;
            ownership.release();
        }
    }

    /** Starts deliveries and waits for events; returns the pause before the next deliveries. */
    private Duration startDeliveries(ExecutorService couriers) throws InterruptedException {
        long seen = projections.position(EventFeed.READ_MODEL);
        List<UUID> ready = webhooks.findReady();
        failingWebhooks.retainAll(Set.copyOf(ready));
        // Without webhooks, the row is not written again and again.
        boolean idle = ready.isEmpty() && activeWebhooks.isEmpty();
        owned = !idle && ownership.acquire().isPresent();
        if (!owned && !idle) {
            return RETRY_INTERVAL;
        }
        for (UUID id : ready) {
            if (activeWebhooks.add(id)) {
                startDelivery(couriers, id);
            }
        }
        failure.end();
        thread.pause(MIN_POLL_INTERVAL);
        if (thread.isRunning()) {
            projections.await(EventFeed.READ_MODEL, seen + 1, MAX_POLL_INTERVAL);
        }
        return Duration.ZERO;
    }

    private void startDelivery(ExecutorService couriers, UUID id) {
        boolean begun = false;
        try {
            couriers.execute(() -> deliver(id));
            begun = true;
        } finally {
            if (!begun) {
                activeWebhooks.remove(id);
            }
        }
    }

    private void deliver(UUID id) {
        try {
            boolean hasDelivered = false;
            while (canContinue() && dispatcher.deliverPending(id, this::canContinue)) {
                hasDelivered = true;
            }
            failingWebhooks.remove(id);
            if (!hasDelivered) {
                // Pauses after no progress, to avoid repeated queries.
                thread.pause(MAX_POLL_INTERVAL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            recordFailure(id, e);
        } finally {
            activeWebhooks.remove(id);
        }
    }

    /** Records the failure of one webhook, which does not affect the others. */
    private void recordFailure(UUID id, Throwable e) {
        if (thread.isRunning() && failingWebhooks.add(id)) {
            LOG.atError()
                    .addKeyValue("webhook_id", id)
                    .setCause(e)
                    .log("Deliveries to a webhook fail; the engine retries them");
        }
    }

    private boolean canContinue() {
        return owned && thread.isRunning();
    }

    private void recordFailure(Throwable e) {
        owned = false;
        failure.begin(e);
    }
}
