package org.leasehold.command.journal;

import org.leasehold.history.PollPace;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A poller that detects the appends of other processes. It polls less often while there are none.
 */
public final class AppendPoller implements AutoCloseable {

    private static final int PERIOD_MILLIS = 100;

    private final NotifyingEventStore eventStore;
    private final PostgresEventStorageEngine engine;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("journal-tail").factory());
    private final ScheduledFuture<?> watch;
    private final PollPace pace = new PollPace(30, 3);
    private long lastHead;

    public AppendPoller(NotifyingEventStore journal, PostgresEventStorageEngine engine) {
        this.eventStore = journal;
        this.engine = engine;
        watch =
                thread.scheduleWithFixedDelay(
                        this::pollOnce, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void pollOnce() {
        if (!pace.isDue()) {
            return;
        }
        try {
            // Read first, so that no event can come between.
            long read = eventStore.lastCachedPosition();
            long head = engine.head();
            if (head < read) {
                // A restored database has fewer events than before, and later different ones.
                eventStore.clearCache();
            }
            if (head != lastHead) {
                lastHead = head;
                pace.resume();
                eventStore.wakeReaders();
            }
        } catch (RuntimeException | Error e) {
            // An exception would end the poller. Readers meet the same failure, report it and
            // survive it.
            eventStore.wakeReaders();
        }
    }

    @Override
    public void close() {
        watch.cancel(true);
        thread.shutdownNow();
    }
}
