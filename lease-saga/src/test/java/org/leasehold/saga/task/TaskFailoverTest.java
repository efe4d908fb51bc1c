package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.leasehold.history.Backoff;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.saga.Cause;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.saga.scheduler.PickedExecutions;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.scheduler.TimerBacklog;
import org.leasehold.saga.timer.LatenessListener;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

class TaskFailoverTest {

    private static final StoredJson JSON = new StoredJson(PluginTask.class);

    @Test
    void another_node_completes_the_task_of_a_killed_process() throws IOException {
        DataSource dataSource = Database.empty();
        TestClock clock = new TestClock();
        FakeCommands commands = new FakeCommands();
        FakePlugins plugins = new FakePlugins();
        TaskTable table = new TaskTable(JdbcClient.create(dataSource), JSON);
        table.insert(
                List.of(
                        new SubmittedTask(
                                new PluginTask.Start(LEASE, TENURE),
                                new Cause("event-1", "req-1", clock.instant()))));
        killWhileActing();
        FailingTaskTable failing = new FailingTaskTable(JdbcClient.create(dataSource), JSON);
        assertThat(failing.findFailing(null, 1).items()).isEmpty();

        DurableScheduler survivor = scheduler(dataSource, clock, commands, plugins);
        survivor.start();
        try {
            clock.putForward(Duration.ofSeconds(9));
            Await.until(
                    "done by the other one",
                    () -> commands.commands().contains(new ConfirmStart(LEASE, TENURE)));
        } finally {
            survivor.stop();
        }
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION);
    }

    @Test
    void a_node_that_lost_a_task_neither_acts_nor_reports() {
        DataSource dataSource = Database.empty();
        TestClock clock = new TestClock();
        FakePlugins plugins = new FakePlugins();
        JdbcClient jdbc = JdbcClient.create(dataSource);
        new TaskTable(jdbc, JSON)
                .insert(
                        List.of(
                                new SubmittedTask(
                                        new PluginTask.Start(LEASE, TENURE),
                                        new Cause("event-1", "req-1", clock.instant()))));
        List<Boolean> mayAct = new CopyOnWriteArrayList<>();
        plugins.answer(
                _ -> {
                    mayAct.add(plugins.mayAct());
                    // As another node does that takes it for dead.
                    jdbc.sql("UPDATE plugin_task SET version = version + 1").update();
                    mayAct.add(plugins.mayAct());
                    return FakePlugins.failed(Fault.Kind.PERMANENT, "fenced off");
                });
        FakeCommands commands = new FakeCommands();
        DurableScheduler scheduler = scheduler(dataSource, clock, commands, plugins);
        scheduler.start();
        try {
            Await.until("it has acted", () -> mayAct.size() == 2);
        } finally {
            scheduler.stop();
        }
        assertThat(mayAct).containsExactly(true, false);
        assertThat(commands.commands()).isEmpty();
    }

    private static void killWhileActing() throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Victim.class.getName(),
                                Database.url())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader output = process.inputReader(UTF_8)) {
            assertThat(output.readLine()).isEqualTo("acting");
        } finally {
            process.destroyForcibly();
        }
        Await.until("it is dead", () -> !process.isAlive());
    }

    /** A process that starts an action, reports that, and never ends. */
    static final class Victim {

        private Victim() {}

        public static void main(String[] arguments) {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setUrl(arguments[0]);
            FakePlugins plugins = new FakePlugins();
            plugins.answer(
                    _ -> {
                        System.out.println("acting");
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        throw new IllegalStateException();
                    });
            scheduler(dataSource, Clock.systemUTC(), new FakeCommands(), plugins).start();
        }
    }

    private static DurableScheduler scheduler(
            DataSource dataSource, Clock clock, FakeCommands commands, FakePlugins plugins) {
        FakeReadModel world = new FakeReadModel();
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
        TaskRunner run =
                new TaskRunner(
                        new TaskRunner.World(
                                world, world, world, plugins, lease -> Optional.empty()),
                        new PluginCallLimiter(2, Duration.ofMinutes(1)),
                        new TaskRetryPolicy(Duration.ofMinutes(1), Backoff.DEFAULT),
                        new TaskReporter(
                                commands, clock, LatenessListener.NONE, PluginCallLog.NONE),
                        new PluginOutages(clock, _ -> {}),
                        clock);
        JdbcClient jdbc = JdbcClient.create(dataSource);
        PickedExecutions rows = new PickedExecutions(jdbc, TaskTable.TABLE_NAME);
        return new DurableScheduler(
                dataSource,
                JSON,
                clock,
                new DurableScheduler.Table(
                        TaskTable.TABLE_NAME,
                        new TaskDispatcher(
                                        run,
                                        new TaskTable(jdbc, JSON),
                                        rows,
                                        clock,
                                        new TimerBacklog(Duration.ZERO))
                                .task(),
                        2,
                        Duration.ofMillis(20),
                        Duration.ofSeconds(1)),
                new Node(Node.currentProcessName(), true));
    }
}
