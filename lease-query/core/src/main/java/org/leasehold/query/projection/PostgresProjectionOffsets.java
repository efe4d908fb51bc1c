package org.leasehold.query.projection;

import org.leasehold.history.PollPace;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Queries of the stored positions, which work on every node, even with a replica. While callers
 * wait, one thread polls for all of them, less often while no position changes. Positions that this
 * process reaches need no poll.
 */
final class PostgresProjectionOffsets implements ProjectionOffsets, AutoCloseable {

    private static final int POLL_INTERVAL_MILLIS = 50;

    private final JdbcClient jdbc;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("projections").factory());

    private final ScheduledFuture<?> pollTask;
    private Map<String, Long> knownPositions = new HashMap<>();
    private final PollPace pace = new PollPace(20, 5);
    private int waiterCount;

    PostgresProjectionOffsets(JdbcClient jdbc) {
        this.jdbc = jdbc;
        pollTask =
                executor.scheduleWithFixedDelay(
                        this::pollOnce, 0, POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void pollOnce() {
        synchronized (this) {
            if (waiterCount == 0 || !pace.isDue()) {
                return;
            }
        }
        try {
            Map<String, Long> positions = positions();
            synchronized (this) {
                if (!positions.equals(knownPositions)) {
                    pace.resume();
                }
                knownPositions = positions;
                notifyAll();
            }
        } catch (RuntimeException | Error e) {
            // An exception here would end the polls. Callers wait until the database is back, or
            // until their own query.
        }
    }

    private Map<String, Long> positions() {
        Map<String, Long> positions = new HashMap<>();
        jdbc.sql("SELECT name, position FROM projection")
                .query(
                        row -> {
                            positions.put(row.getString(1), row.getLong(2));
                        });
        return positions;
    }

    @Override
    public Set<String> names() {
        return positions().keySet();
    }

    @Override
    public long position(String name) {
        return jdbc.sql("SELECT position FROM projection WHERE name = ?")
                .param(name)
                .query(Long.class)
                .single();
    }

    @Override
    public synchronized long await(String name, long position, Duration longest)
            throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        waiterCount++;
        try {
            long left = end - System.nanoTime();
            while (knownPosition(name) < position && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = end - System.nanoTime();
            }
            return knownPosition(name);
        } finally {
            waiterCount--;
        }
    }

    /** Wakes the callers on this node that wait for a position. */
    synchronized void updatePosition(String name, long position) {
        knownPositions.put(name, position);
        notifyAll();
    }

    private long knownPosition(String name) {
        return knownPositions.getOrDefault(name, 0L);
    }

    @Override
    public void close() {
        pollTask.cancel(true);
        executor.shutdownNow();
    }
}
