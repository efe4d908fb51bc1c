package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.Publication;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Delivers events to webhooks, each in its own thread, so that no receiver delays another. One of
 * all nodes does so. A node that does not know yet that it lost the ownership repeats at most its
 * current messages: the database rejects its offsets.
 */
final class WebhookPublication implements Publication, Runnable {

    /** The name in the table {@code publication}. */
    static final String WEBHOOKS = "webhooks";

    private static final Logger LOG = LoggerFactory.getLogger(WebhookPublication.class);

    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(50);

    /** The timeout after which retries may be due without new events. */
    private static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(1);

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    /** The time to release the publication after its work was cancelled. */
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(1);

    private final PublicationOwnership ownership;
    private final WebhookOffsetTable webhooks;
    private final WebhookDispatcher dispatcher;
    private final ProjectionOffsets projections;

    /** The webhooks with a running delivery. */
    private final Set<UUID> activeWebhooks = ConcurrentHashMap.newKeySet();

    /** The webhooks that fail for a reason inside the engine. */
    private final Set<UUID> failingWebhooks = ConcurrentHashMap.newKeySet();

    private @Nullable Thread thread;
    private volatile CountDownLatch stopping = new CountDownLatch(1);
    private volatile boolean owned;
    private volatile boolean failing;

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
        return failing || !failingWebhooks.isEmpty();
    }

    @Override
    public synchronized boolean hasEnded() {
        return thread != null && !thread.isAlive();
    }

    @Override
    public synchronized void start() {
        stopping = new CountDownLatch(1);
        thread = Thread.ofPlatform().daemon().name("publication-" + WEBHOOKS).start(this);
    }

    @Override
    public synchronized void stop(Duration within) throws InterruptedException {
        stopping.countDown();
        if (thread == null) {
            return;
        }
        Duration patience = within.minus(RELEASE_TIMEOUT);
        if (patience.isNegative() || !thread.join(patience)) {
            thread.interrupt();
            thread.join(RELEASE_TIMEOUT);
        }
        thread = null;
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Runs until it is stopped and the current messages have ended. */
    @Override
    public void run() {
        // An interrupt cancels their waits.
        ExecutorService couriers =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("webhook-", 0).factory());
        try {
            while (!isStopping()) {
                if (!runOnce(couriers)) {
                    boolean _ = stopping.await(RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
            couriers.shutdown();
            boolean _ = couriers.awaitTermination(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
            // The next owner repeats the unfinished work.
            couriers.shutdownNow();
        } finally {
            releaseOwnership();
        }
    }

    /** Returns true to continue without a pause. */
    private boolean runOnce(ExecutorService couriers) throws InterruptedException {
        try {
            long seen = projections.position(EventFeed.READ_MODEL);
            List<UUID> ready = webhooks.findReady();
            failingWebhooks.retainAll(Set.copyOf(ready));
            // Without webhooks, the row is not written again and again.
            boolean idle = ready.isEmpty() && activeWebhooks.isEmpty();
            owned = !idle && ownership.acquire().isPresent();
            if (!owned && !idle) {
                return false;
            }
            for (UUID id : ready) {
                if (activeWebhooks.add(id)) {
                    startDelivery(couriers, id);
                }
            }
            recordRecovery();
            boolean _ = stopping.await(MIN_POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            if (!isStopping()) {
                projections.await(EventFeed.READ_MODEL, seen + 1, MAX_POLL_INTERVAL);
            }
            return true;
        } catch (RuntimeException | Error e) {
            recordFailure(e);
            return false;
        }
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
                boolean _ = stopping.await(MAX_POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
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
        if (!isStopping() && failingWebhooks.add(id)) {
            LOG.atError()
                    .addKeyValue("webhook_id", id)
                    .setCause(e)
                    .log("Deliveries to a webhook fail; the engine retries them");
        }
    }

    private boolean canContinue() {
        return owned && !isStopping();
    }

    /** Logs the failure once, however long it lasts. */
    private void recordFailure(Throwable e) {
        owned = false;
        if (!failing && !isStopping()) {
            failing = true;
            LOG.atError()
                    .addKeyValue("publication", WEBHOOKS)
                    .setCause(e)
                    .log("A publication cannot go on; it is tried again");
        }
    }

    private void recordRecovery() {
        if (failing) {
            failing = false;
            LOG.atInfo().addKeyValue("publication", WEBHOOKS).log("A publication continues");
        }
    }

    private void releaseOwnership() {
        owned = false;
        // The interrupt must not prevent the update of the database.
        boolean interrupted = Thread.interrupted();
        try {
            ownership.release();
        } catch (RuntimeException e) {
            // Without the database, the ownership expires after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
