package org.leasehold.query.projection;

import org.leasehold.history.PollPace;
import org.leasehold.query.Projections;
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
final class PostgresProjections implements Projections, AutoCloseable {

    private static final int BETWEEN_LOOKS_MILLIS = 50;

    private final JdbcClient jdbc;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("projections").factory());

    private final ScheduledFuture<?> watch;
    private Map<String, Long> known = new HashMap<>();
    private final PollPace pace = new PollPace(20, 5);
    private int waiting;

    PostgresProjections(JdbcClient jdbc) {
        this.jdbc = jdbc;
        watch =
                thread.scheduleWithFixedDelay(
                        this::look, 0, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        synchronized (this) {
            if (waiting == 0 || !pace.isDue()) {
                return;
            }
        }
        try {
            Map<String, Long> positions = positions();
            synchronized (this) {
                if (!positions.equals(known)) {
                    pace.resume();
                }
                known = positions;
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
        waiting++;
        try {
            long left = end - System.nanoTime();
            while (known(name) < position && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = end - System.nanoTime();
            }
            return known(name);
        } finally {
            waiting--;
        }
    }

    /** Wakes the callers on this node that wait for a position. */
    synchronized void reached(String name, long position) {
        known.put(name, position);
        notifyAll();
    }

    private long known(String name) {
        return known.getOrDefault(name, 0L);
    }

    @Override
    public void close() {
        watch.cancel(true);
        thread.shutdownNow();
    }
}
