package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.command.TaskRetries;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.saga.scheduler.PickedExecutions;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.scheduler.TimerBacklog;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

class PostgresTaskQueueTest extends TaskQueueContract {

    private static final StoredJson JSON = new StoredJson(PluginTask.class);

    private final DataSource dataSource = Database.empty();
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final TaskTable table = new TaskTable(JdbcClient.create(dataSource), JSON);
    private final FailingTaskTable failingTasks =
            new FailingTaskTable(JdbcClient.create(dataSource), JSON);
    private final DurableScheduler scheduler =
            new DurableScheduler(
                    dataSource,
                    JSON,
                    clock,
                    new DurableScheduler.Table(
                            TaskTable.TABLE_NAME,
                            new TaskDispatcher(
                                            run,
                                            table,
                                            new PickedExecutions(
                                                    JdbcClient.create(dataSource),
                                                    TaskTable.TABLE_NAME),
                                            clock,
                                            new TimerBacklog(Duration.ZERO))
                                    .task(),
                            4,
                            Duration.ofMillis(20),
                            Duration.ofSeconds(2)),
                    new Node("node-1", true));
    private final TaskQueue tasks = new PostgresTaskQueue(table, failingTasks, scheduler, clock);

    @Override
    TaskQueue tasks() {
        return tasks;
    }

    @Override
    StuckActionQuery stuck() {
        return new StuckTasks(failingTasks);
    }

    @Override
    TaskRetries retries() {
        return new PostgresRetries(failingTasks, scheduler, clock);
    }

    @Override
    void retryWaiting(ResourceKind plugin) {
        failingTasks.retryNow(plugin, clock.instant());
    }

    @Override
    void runUntil(String what, BooleanSupplier condition) {
        scheduler.start();
        Await.until(what, condition);
    }

    @AfterEach
    void stop() {
        scheduler.stop();
    }

    @Test
    void an_end_waits_for_a_running_start_of_the_same_reservation() {
        CountDownLatch startMayReturn = new CountDownLatch(1);
        plugins.answer(
                call -> {
                    if (call.startsWith("start")) {
                        await(startMayReturn);
                    }
                    return new Result.Done();
                });
        submit(START);
        runUntil("the start is under way", () -> plugins.calls().size() == 1);

        submit(END);
        runUntil("the end was put back", () -> endVersion() > 2);
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION);

        startMayReturn.countDown();
        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION, "end " + RESERVATION);
        runUntil("nothing is left", () -> rows() == 0);
    }

    @Test
    void a_stopped_scheduler_releases_interrupted_tasks_at_once() {
        CountDownLatch never = new CountDownLatch(1);
        plugins.answer(
                _ -> {
                    await(never);
                    return new Result.Done();
                });
        submit(START);
        runUntil("the start is under way", () -> plugins.calls().size() == 1);

        scheduler.stop();

        assertThat(jdbc.queryForObject("SELECT picked FROM plugin_task", Boolean.class)).isFalse();
        assertThat(stuckActions()).isEmpty();
    }

    @Test
    void an_action_is_repeated_after_a_failed_command() {
        commands.answer(
                _ -> {
                    if (commands.sent().size() == 1) {
                        throw new IllegalStateException("the database is away");
                    }
                    return new Outcome.Accepted<>(1);
                });
        submit(START);
        runUntil("it failed", () -> failures() == 1);

        clock.putForward(Duration.ofMinutes(1));

        runUntil("nothing is left", () -> rows() == 0);
        assertThat(sent())
                .containsExactly(new ConfirmStart(LEASE, TENURE), new ConfirmStart(LEASE, TENURE));
        assertThat(plugins.calls()).hasSize(2);
    }

    @Test
    void a_task_is_stored_in_a_stable_format() {
        submit(new PluginTask.Adjust(LEASE, TENURE, List.of(NODE_1)));

        assertThat(
                        jdbc.queryForObject(
                                """
                                SELECT (convert_from(task_data, 'UTF8')::jsonb -> 'task')::text
                                FROM plugin_task
                                """,
                                String.class))
                .isEqualTo(
                        """
                        {"type": "Adjust", \
                        "lease": {"value": "00000000-0000-0000-0000-000000000001"}, \
                        "tenure": {"generation": 5, "reservation": \
                        {"value": "00000000-0000-0001-0000-00000000000b"}}, \
                        "leaving": [{"name": "node1", "resource": {"value": 1}, "properties": {}}]}\
                        """);
    }

    private long endVersion() {
        return jdbc
                .query(
                        "SELECT version FROM plugin_task WHERE action = 'END'",
                        (row, _) -> row.getLong("version"))
                .stream()
                .findFirst()
                .orElse(0L);
    }

    private int failures() {
        return number("SELECT coalesce(sum(consecutive_failures), 0) FROM plugin_task");
    }

    private int rows() {
        return number("SELECT count(*) FROM plugin_task");
    }

    private int number(String sql) {
        Integer number = jdbc.queryForObject(sql, Integer.class);
        return number == null ? 0 : number;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
