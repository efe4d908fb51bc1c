package org.leasehold.query.projection;

import org.leasehold.history.RecordedEvent;
import org.leasehold.history.Tail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

/**
 * The thread that makes one projection follow the event log. Any number of nodes may do that: the
 * holder of the lock on the projection's row continues at its position, and moves it together with
 * its writes. So each event counts once, even if a node dies. A failing event is retried until it
 * succeeds, and never skipped.
 */
final class Projector implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Projector.class);

    /** New events wake it earlier. */
    private static final Duration SLEEP = Duration.ofSeconds(10);

    private static final Duration WHILE_ANOTHER_WORKS = Duration.ofMillis(100);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /**
     * A setting for the rest of the transaction. The database reuses a prepared statement's plan
     * until it analyzes the tables. A plan for empty ones would read all rows of full ones.
     */
    private static final String BY_INDEX = "SET LOCAL enable_seqscan = off";

    private static final String TAKE =
            "SELECT position FROM projection WHERE name = ? FOR UPDATE SKIP LOCKED";
    private static final String MOVE = "UPDATE projection SET position = ? WHERE name = ?";

    private final Projection projection;
    private final Tail tail;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final ObjLongConsumer<String> reached;
    private volatile boolean failing;

    /**
     * @param reached receives a projection's name and its new position
     */
    Projector(
            Projection projection,
            Tail tail,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            ObjLongConsumer<String> reached) {
        this.projection = projection;
        this.tail = tail;
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(transactions);
        this.reached = reached;
    }

    Projection projection() {
        return projection;
    }

    /** Returns whether its last attempt failed. */
    boolean isFailing() {
        return failing;
    }

    /** Runs until the thread is interrupted. */
    @Override
    public void run() {
        long passed = 0;
        Duration pause = FIRST_PAUSE;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    long last = tail.await(passed, SLEEP);
                    if (last > passed) {
                        OptionalLong position = follow();
                        Thread.sleep(restAfter(position, last));
                        passed = position.orElse(passed);
                    } else {
                        // A database that was restored may have fewer events than before.
                        passed = 0;
                    }
                    failing = false;
                    pause = FIRST_PAUSE;
                } catch (RuntimeException | Error e) {
                    failed(e);
                    Thread.sleep(pause);
                    Duration twice = pause.multipliedBy(2);
                    pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration restAfter(OptionalLong position, long last) {
        if (position.isEmpty()) {
            return WHILE_ANOTHER_WORKS;
        }
        return position.getAsLong() < last ? Duration.ZERO : projection.rest();
    }

    private void failed(Throwable e) {
        // A stopped thread gets no connection any more.
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        failing = true;
        LOG.atError()
                .addKeyValue("projection", projection.name())
                .setCause(e)
                .log("A projection cannot go on; it is tried again");
    }

    /**
     * Applies the next events, in one transaction.
     *
     * @return the projection's new position; empty while another node has it
     */
    OptionalLong follow() {
        OptionalLong position = Objects.requireNonNull(transaction.execute(_ -> followed()));
        position.ifPresent(stands -> reached.accept(projection.name(), stands));
        return position;
    }

    private OptionalLong followed() {
        jdbc.execute(BY_INDEX);
        List<Long> place = jdbc.queryForList(TAKE, Long.class, projection.name());
        if (place.isEmpty()) {
            return OptionalLong.empty();
        }
        long before = place.getFirst();
        List<RecordedEvent> events = tail.after(before);
        if (events.isEmpty()) {
            return OptionalLong.of(before);
        }
        long after = events.getLast().position();
        projection.apply(events, UnaryOperator.identity());
        jdbc.update(MOVE, after, projection.name());
        return OptionalLong.of(after);
    }
}
