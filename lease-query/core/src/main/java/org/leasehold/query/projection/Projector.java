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
 * Has one projection follow the events, in a thread. Any number of nodes may do that: whoever has
 * the lock on the projection's row goes on from where the row says, and moves it together with what
 * it writes. So each event counts once, whoever dies when. An event that cannot be taken is tried
 * again for as long as it takes, and never passed over.
 */
final class Projector implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Projector.class);

    /** What happens wakes it before. */
    private static final Duration SLEEP = Duration.ofSeconds(10);

    private static final Duration WHILE_ANOTHER_WORKS = Duration.ofMillis(100);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /**
     * For the rest of the transaction. The database keeps the plan of a prepared statement until it
     * has analyzed the tables. What it planned for empty ones would read all rows of full ones.
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
     * @param reached is told on which position a projection, by its name, stands now
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

    /** Whether its last attempt failed. */
    boolean isFailing() {
        return failing;
    }

    /** Until the thread is interrupted. */
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
        // A thread that is stopped gets no connection any more.
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
     * Takes the next events, in one transaction.
     *
     * @return the position that the projection stands on now; empty while another node has it
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
