package org.leasehold.command.journal;

import org.leasehold.history.PollPace;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A poller that detects the appends of other processes. It polls less often while there are none.
 */
final class TailWatch implements AutoCloseable {

    private static final int PERIOD_MILLIS = 100;

    private final Journal journal;
    private final PostgresEventStorageEngine engine;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("journal-tail").factory());
    private final ScheduledFuture<?> watch;
    private final PollPace pace = new PollPace(30, 3);
    private long seen;

    TailWatch(Journal journal, PostgresEventStorageEngine engine) {
        this.journal = journal;
        this.engine = engine;
        watch =
                thread.scheduleWithFixedDelay(
                        this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        if (!pace.isDue()) {
            return;
        }
        try {
            // Read first, so that no event can come between.
            long read = journal.read();
            long head = engine.head();
            if (head < read) {
                // A restored database has fewer events than before, and soon different ones.
                journal.forget();
            }
            if (head != seen) {
                seen = head;
                pace.resume();
                journal.wake();
            }
        } catch (RuntimeException | Error e) {
            // An exception would end the poller. Readers meet the same failure, report it and
            // survive it.
            journal.wake();
        }
    }

    @Override
    public void close() {
        watch.cancel(true);
        thread.shutdownNow();
    }
}
