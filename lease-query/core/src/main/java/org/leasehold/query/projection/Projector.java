package org.leasehold.query.projection;

import org.leasehold.history.Backoff;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;
import org.leasehold.history.RetryingThread;
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
final class Projector {

    private static final Logger LOG = LoggerFactory.getLogger(Projector.class);

    /** New events wake it earlier. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private static final Duration OTHER_NODE_PAUSE = Duration.ofMillis(100);

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));

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
    private final RetryingThread thread;
    private long appliedPosition;

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
        this.thread = new RetryingThread("projection-" + projection.name(), this::run);
    }

    Projection projection() {
        return projection;
    }

    RetryingThread thread() {
        return thread;
    }

    private void run() throws InterruptedException {
        appliedPosition = 0;
        thread.repeat(this::followEvents, BACKOFF::delayAfter, this::logFailure);
    }

    /** Waits for events and applies them; returns the pause before the next ones. */
    private Duration followEvents() throws InterruptedException {
        long last = tail.awaitEventAfter(appliedPosition, MAX_WAIT);
        if (last <= appliedPosition) {
            // A database that was restored may have fewer events than before.
            appliedPosition = 0;
            return Duration.ZERO;
        }
        OptionalLong position = applyNextBatch();
        appliedPosition = position.orElse(appliedPosition);
        return pauseAfter(position, last);
    }

    private Duration pauseAfter(OptionalLong position, long last) {
        if (position.isEmpty()) {
            return OTHER_NODE_PAUSE;
        }
        return position.getAsLong() < last ? Duration.ZERO : projection.pauseAfterBatch();
    }

    private void logFailure(Throwable e) {
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
