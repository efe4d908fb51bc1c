package org.leasehold.command.journal;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Notices what other processes append. */
final class TailWatch implements AutoCloseable {

    private static final int PERIOD_MILLIS = 100;

    private final Journal journal;
    private final PostgresEventStorageEngine engine;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("journal-tail").factory());
    private final ScheduledFuture<?> watch;
    private long seen;

    TailWatch(Journal journal, PostgresEventStorageEngine engine) {
        this.journal = journal;
        this.engine = engine;
        watch =
                thread.scheduleWithFixedDelay(
                        this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            // Asked first, so that nothing can come between.
            long read = journal.read();
            long head = engine.head();
            if (head < read) {
                // A database that was restored has fewer events than before, and soon others.
                journal.forget();
            }
            if (head != seen) {
                seen = head;
                journal.wake();
            }
        } catch (RuntimeException | Error e) {
            // What is thrown here would end the watch. Whoever reads meets the same failure, and
            // reports and outlives it.
            journal.wake();
        }
    }

    @Override
    public void close() {
        watch.cancel(true);
        thread.shutdownNow();
    }
}
