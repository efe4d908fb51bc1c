package org.leasehold.gateway.security.access;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A queue of records for auditors. One thread writes them, one after the other, so that no request
 * waits for the table. In an outage of the database or a flood, those beyond the limit are lost.
 */
final class RecordQueue {

    private static final Logger LOG = LoggerFactory.getLogger(RecordQueue.class);

    private static final int MAX_SIZE = 1000;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

    private final String name;
    private final ThreadPoolExecutor executor;

    /**
     * @param name the plural of what is recorded, for logs and the thread's name
     */
    RecordQueue(String name) {
        this.name = name;
        this.executor =
                new ThreadPoolExecutor(
                        0,
                        1,
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_SIZE),
                        Thread.ofPlatform().daemon().name(name).factory());
    }

    void add(Runnable write) {
        try {
            executor.execute(
                    () -> {
                        try {
                            write.run();
                        } catch (RuntimeException e) {
                            LOG.atWarn().setCause(e).log("One of the {} is not recorded", name);
                        }
                    });
        } catch (RejectedExecutionException full) {
            LOG.warn("One of the {} is not recorded: too many wait", name);
        }
    }

    /** Writes the waiting records, if the database is available. */
    void close() throws InterruptedException {
        executor.shutdown();
        boolean _ = executor.awaitTermination(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
