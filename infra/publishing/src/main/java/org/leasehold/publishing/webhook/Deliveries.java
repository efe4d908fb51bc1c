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
 * Has webhooks told of what happens: each by a thread of its own, so that no receiver waits for
 * another. Of any number of nodes one does so. A node that does not know yet that it is another's
 * turn repeats at most what it has in hand: its notes are refused.
 */
final class Deliveries implements Publication, Runnable {

    /** As in the table {@code publication}. */
    static final String WEBHOOKS = "webhooks";

    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    /** Then something may be due, although nothing has happened. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);

    /** For the last words, when what was under way has been given up. */
    private static final Duration TO_GIVE_UP = Duration.ofSeconds(1);

    private final Place place;
    private final Letters letters;
    private final Courier courier;
    private final Projections projections;

    /** Who is being told something. */
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();

    /** Whom nothing can be told for a reason of ours. */
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

    /** Who does not take anything does not count: only they can change that. */
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

    /** Until it is stopped, and what was under way has ended. */
    @Override
    public void run() {
        // Interrupted, they give up what they wait for.
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
            // What was under way is told once more by whoever goes on.
            couriers.shutdownNow();
        } finally {
            leave();
        }
    }

    /** Returns whether to look again soon. */
    private boolean round(ExecutorService couriers) throws InterruptedException {
        try {
            long seen = projections.position(Feed.STANDS_ON);
            List<UUID> ready = letters.ready();
            troubled.retainAll(Set.copyOf(ready));
            // Where there are no webhooks, nothing is written again and again.
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
                // It stands still: it need not be looked at again and again.
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

    /** It is the others' no business. */
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

    /** Says so once, however long it takes. */
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
        // The database shall still hear of it.
        boolean interrupted = Thread.interrupted();
        try {
            place.giveUp();
        } catch (RuntimeException e) {
            // Without the database: then it is the next one's after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
