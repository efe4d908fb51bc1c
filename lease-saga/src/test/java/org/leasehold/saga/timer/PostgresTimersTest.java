package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.scheduler.TimerBacklog;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

class PostgresTimersTest extends TimersContract {

    private static final StoredJson JSON = new StoredJson(LeaseCommand.class);

    private final DataSource dataSource = Database.empty();
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final TimerTable table = new PostgresTimerTable(jdbc, JSON);
    private final TimerLoop loop = loop(Duration.ofMillis(20));
    private final PostgresTimers timers = new PostgresTimers(table, loop);

    @Override
    Timers timers() {
        return timers;
    }

    @Override
    void fireUntil(String what, BooleanSupplier condition) {
        loop.start();
        Await.until(what, condition);
    }

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void a_fired_timer_is_deleted() {
        timers.set(List.of(start(1, clock.instant())));

        fireUntil("the table is empty", () -> rows() == 0);
        assertThat(commands.commands()).containsExactly(starting(1));
    }

    @Test
    void a_timer_is_set_only_if_the_transaction_commits() {
        TransactionTemplate transaction =
                new TransactionTemplate(new JdbcTransactionManager(dataSource));
        transaction.executeWithoutResult(
                status -> {
                    timers.set(List.of(start(1, clock.instant())));
                    status.setRollbackOnly();
                });
        transaction.executeWithoutResult(_ -> timers.set(List.of(start(2, clock.instant()))));

        assertThat(rows()).isEqualTo(1);
        fireUntil("the second has fired", () -> commands.commands().contains(starting(2)));
        assertThat(commands.commands()).containsExactly(starting(2));
    }

    @Test
    void a_timer_that_is_due_at_once_does_not_wait_for_the_next_poll() {
        TimerLoop patient = loop(Duration.ofMinutes(10));
        patient.start();
        try {
            PostgresTimers own = new PostgresTimers(table, patient);
            // The poll at the start may still find the first one.
            own.set(List.of(start(1, clock.instant())));
            Await.until("the first has fired", () -> rows() == 0);
            own.set(List.of(start(2, clock.instant())));
            Await.until("the second has fired", () -> rows() == 0);
        } finally {
            patient.stop();
        }
        assertThat(commands.commands()).containsExactly(starting(1), starting(2));
    }

    @Test
    void a_timer_taken_by_a_dead_node_fires_on_another_node() {
        timers.set(List.of(start(1, clock.instant())));
        assertThat(table.takeDue(clock.instant(), 10)).hasSize(1);
        assertThat(table.takeDue(clock.instant(), 10)).isEmpty();

        clock.putForward(TimerTable.CLAIM_TIMEOUT);

        fireUntil("it has fired", () -> commands.commands().contains(starting(1)));
    }

    @Test
    void a_failed_timer_that_cannot_be_put_back_fires_later() {
        AtomicInteger attempts = new AtomicInteger();
        commands.answer(
                _ -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("the database is away");
                    }
                    return new Outcome.Accepted<>(1);
                });
        jdbc.execute("ALTER TABLE timer ADD CONSTRAINT stuck CHECK (consecutive_failures = 0)");
        try {
            timers.set(List.of(start(1, clock.instant())));
            fireUntil("it was tried", () -> attempts.get() == 1);

            clock.putForward(TimerTable.CLAIM_TIMEOUT);

            Await.until("it has fired", () -> rows() == 0);
        } finally {
            jdbc.execute("ALTER TABLE timer DROP CONSTRAINT stuck");
        }
    }

    @Test
    void a_batch_has_all_due_starts_and_a_limited_number_of_retries() {
        List<Timer> due = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            due.add(retry(i, clock.instant()));
            due.add(start(1000 + i, clock.instant()));
        }
        timers.set(due);

        assertThat(table.takeDue(clock.instant(), 1_000))
                .extracting(taken -> taken.timer().command().getClass().getSimpleName())
                .containsExactlyElementsOf(
                        Stream.concat(
                                        Collections.nCopies(100, "StartLease").stream(),
                                        Collections.nCopies(TimerTable.MAX_RETRIES, "RetryCreation")
                                                .stream())
                                .toList());
    }

    @Test
    void a_slow_node_does_not_remove_a_timer_that_another_node_has_taken() {
        timers.set(List.of(start(1, clock.instant())));
        List<TimerTable.Taken> slow = table.takeDue(clock.instant(), 10);
        clock.putForward(TimerTable.CLAIM_TIMEOUT);
        List<TimerTable.Taken> next = table.takeDue(clock.instant(), 10);

        table.removeFired(slow);
        assertThat(rows()).isOne();
        table.removeFired(next);
        assertThat(rows()).isZero();
    }

    @Test
    void timers_are_stored_in_a_fixed_json_form() {
        timers.set(List.of(end(1, clock.instant())));

        String stored =
                jdbc.queryForObject(
                        "SELECT convert_from(task_data, 'UTF8')::jsonb - 'due' FROM timer",
                        String.class);

        assertThat(stored)
                .isEqualTo(
                        """
                        {"key": "end:00000000-0000-0000-0000-000000000001", \
                        "cause": {"at": "1970-01-01T00:00:00Z", "event": "event-1", \
                        "requestId": "req-1"}, \
                        "command": {"type": "EndLease", "cause": "WINDOW_OVER", \
                        "leaseId": {"value": "00000000-0000-0000-0000-000000000001"}}}\
                        """);
    }

    private int rows() {
        Integer count = jdbc.queryForObject("SELECT count(*) FROM timer", Integer.class);
        return count == null ? 0 : count;
    }

    private TimerLoop loop(Duration polling) {
        return new TimerLoop(
                table,
                firing,
                clock,
                new TimerLoop.Pace(1, polling, Duration.ofSeconds(5)),
                new Node("node-1", true),
                new TimerBacklog(Duration.ZERO));
    }
}
