package org.leasehold.query.projection;

import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;
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
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private static final Duration OTHER_NODE_PAUSE = Duration.ofMillis(100);

    private static final Duration MIN_BACKOFF = Duration.ofMillis(500);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

    /**
     * A setting for the rest of the transaction. The database reuses a prepared statement's plan
     * until it analyzes the tables. A plan for empty ones would read all rows of full ones.
     */
    private static final String DISABLE_SEQUENTIAL_SCANS = "SET LOCAL enable_seqscan = off";

    private static final String LOCK_POSITION =
            "SELECT position FROM projection WHERE name = ? FOR UPDATE SKIP LOCKED";
    private static final String UPDATE_POSITION =
            "UPDATE projection SET position = ? WHERE name = ?";

    private final Projection projection;
    private final EventLogTail tail;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final ObjLongConsumer<String> positionListener;
    private volatile boolean failing;

    /**
     * @param reached receives a projection's name and its new position
     */
    Projector(
            Projection projection,
            EventLogTail tail,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            ObjLongConsumer<String> reached) {
        this.projection = projection;
        this.tail = tail;
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(transactions);
        this.positionListener = reached;
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
        Duration pause = MIN_BACKOFF;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    long last = tail.awaitEventAfter(passed, MAX_WAIT);
                    if (last > passed) {
                        OptionalLong position = applyNextBatch();
                        Thread.sleep(pauseAfter(position, last));
                        passed = position.orElse(passed);
                    } else {
                        // A database that was restored may have fewer events than before.
                        passed = 0;
                    }
                    failing = false;
                    pause = MIN_BACKOFF;
                } catch (RuntimeException | Error e) {
                    reportFailure(e);
                    Thread.sleep(pause);
                    Duration twice = pause.multipliedBy(2);
                    pause = twice.compareTo(MAX_BACKOFF) < 0 ? twice : MAX_BACKOFF;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration pauseAfter(OptionalLong position, long last) {
        if (position.isEmpty()) {
            return OTHER_NODE_PAUSE;
        }
        return position.getAsLong() < last ? Duration.ZERO : projection.pauseAfterBatch();
    }

    private void reportFailure(Throwable e) {
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
    OptionalLong applyNextBatch() {
        OptionalLong position =
                Objects.requireNonNull(transaction.execute(_ -> applyNextBatchInTransaction()));
        position.ifPresent(stands -> positionListener.accept(projection.name(), stands));
        return position;
    }

    private OptionalLong applyNextBatchInTransaction() {
        jdbc.execute(DISABLE_SEQUENTIAL_SCANS);
        List<Long> positions = jdbc.queryForList(LOCK_POSITION, Long.class, projection.name());
        if (positions.isEmpty()) {
            return OptionalLong.empty();
        }
        long before = positions.getFirst();
        List<RecordedEvent> events = tail.readAfter(before);
        if (events.isEmpty()) {
            return OptionalLong.of(before);
        }
        long after = events.getLast().position();
        projection.apply(events, UnaryOperator.identity());
        jdbc.update(UPDATE_POSITION, after, projection.name());
        return OptionalLong.of(after);
    }
}
