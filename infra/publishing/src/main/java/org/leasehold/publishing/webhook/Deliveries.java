package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.Place;
import org.leasehold.publishing.Publication;
import org.leasehold.query.Feed;
import org.leasehold.query.Projections;
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
final class Deliveries implements Publication, Runnable {

    /** The name in the table {@code publication}. */
    static final String WEBHOOKS = "webhooks";

    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    /** The timeout after which retries may be due without new events. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);

    /** The time to release the publication after its work was cancelled. */
    private static final Duration TO_GIVE_UP = Duration.ofSeconds(1);

    private final Place place;
    private final Letters letters;
    private final Courier courier;
    private final Projections projections;

    /** The webhooks with a running delivery. */
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();

    /** The webhooks that fail for a reason inside the engine. */
    private final Set<UUID> troubled = ConcurrentHashMap.newKeySet();

    private @Nullable Thread thread;
    private volatile CountDownLatch stopping = new CountDownLatch(1);
    private volatile boolean ours;
    private volatile boolean failing;

    Deliveries(Place place, Letters letters, Courier courier, Projections projections) {
        this.place = place;
        this.letters = letters;
        this.courier = courier;
        this.projections = projections;
    }

    @Override
    public String name() {
        return WEBHOOKS;
    }

    /** Ignores receivers that accept nothing: only their owners can change that. */
    @Override
    public long position() {
        return letters.behind().orElse(Long.MAX_VALUE);
    }

    @Override
    public boolean isFailing() {
        return failing || !troubled.isEmpty();
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
        Duration patience = within.minus(TO_GIVE_UP);
        if (patience.isNegative() || !thread.join(patience)) {
            thread.interrupt();
            thread.join(TO_GIVE_UP);
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
                if (!round(couriers)) {
                    boolean _ = stopping.await(AFTER_A_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
            couriers.shutdown();
            boolean _ = couriers.awaitTermination(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
            // The next owner repeats the unfinished work.
            couriers.shutdownNow();
        } finally {
            leave();
        }
    }

    /** Returns true to continue without a pause. */
    private boolean round(ExecutorService couriers) throws InterruptedException {
        try {
            long seen = projections.position(Feed.STANDS_ON);
            List<UUID> ready = letters.ready();
            troubled.retainAll(Set.copyOf(ready));
            // Without webhooks, the row is not written again and again.
            boolean idle = ready.isEmpty() && busy.isEmpty();
            ours = !idle && place.take().isPresent();
            if (!ours && !idle) {
                return false;
            }
            for (UUID id : ready) {
                if (busy.add(id)) {
                    begin(couriers, id);
                }
            }
            recovered();
            boolean _ = stopping.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            if (!isStopping()) {
                projections.await(Feed.STANDS_ON, seen + 1, LONGEST_WAIT);
            }
            return true;
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    private void begin(ExecutorService couriers, UUID id) {
        boolean begun = false;
        try {
            couriers.execute(() -> tell(id));
            begun = true;
        } finally {
            if (!begun) {
                busy.remove(id);
            }
        }
    }

    private void tell(UUID id) {
        try {
            boolean some = false;
            while (mayGoOn() && courier.work(id, this::mayGoOn)) {
                some = true;
            }
            troubled.remove(id);
            if (!some) {
                // Pauses after no progress, to avoid repeated queries.
                boolean _ = stopping.await(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failed(id, e);
        } finally {
            busy.remove(id);
        }
    }

    /** Records the failure of one webhook, which does not affect the others. */
    private void failed(UUID id, Throwable e) {
        if (!isStopping() && troubled.add(id)) {
            LOG.atError()
                    .addKeyValue("webhook_id", id)
                    .setCause(e)
                    .log("A webhook cannot be told anything; it is tried again");
        }
    }

    private boolean mayGoOn() {
        return ours && !isStopping();
    }

    /** Logs the failure once, however long it lasts. */
    private void failed(Throwable e) {
        ours = false;
        if (!failing && !isStopping()) {
            failing = true;
            LOG.atError()
                    .addKeyValue("publication", WEBHOOKS)
                    .setCause(e)
                    .log("A publication cannot go on; it is tried again");
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            LOG.atInfo().addKeyValue("publication", WEBHOOKS).log("A publication goes on");
        }
    }

    private void leave() {
        ours = false;
        // The interrupt must not prevent the update of the database.
        boolean interrupted = Thread.interrupted();
        try {
            place.giveUp();
        } catch (RuntimeException e) {
            // Without the database, the ownership expires after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
