package org.leasehold.saga.task;

import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.BeforeEach;
import org.leasehold.command.TaskRetries;
import org.leasehold.history.Backoff;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.saga.Cause;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.timer.LatenessListener;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A queue of tasks with fakes of all that a task reads, calls and reports to. */
abstract class TaskQueueFixture {

    static final Duration LIMIT = Duration.ofMinutes(5);
    static final Duration HOUR = Duration.ofHours(1);
    static final PluginTask PREPARE = new PluginTask.Prepare(LEASE, RESERVATION);
    static final PluginTask START = new PluginTask.Start(LEASE, TENURE);
    static final PluginTask END = new PluginTask.End(LEASE, TENURE);
    static final Tenure RENEWED = new Tenure(RESERVATION, 6);

    final TestClock clock = new TestClock();
    final FakeCommands commands = new FakeCommands();
    final FakeReadModel world = new FakeReadModel();
    final FakePlugins plugins = new FakePlugins();
    volatile Optional<KnownTrust> trusted = Optional.empty();
    final List<Duration> readyAfter = new CopyOnWriteArrayList<>();
    final List<CloudCall> called = new CopyOnWriteArrayList<>();

    final TaskRunner run =
            new TaskRunner(
                    new TaskRunner.World(world, world, world, plugins, lease -> trusted),
                    new PluginCallLimiter(2, Duration.ofSeconds(20)),
                    new TaskRetryPolicy(LIMIT, Backoff.DEFAULT),
                    new TaskReporter(
                            commands,
                            clock,
                            new LatenessListener() {
                                @Override
                                public void commandDecided(
                                        LeaseCommand command, Duration lateness) {}

                                @Override
                                public void reservationReady(Duration lateness) {
                                    readyAfter.add(lateness);
                                }
                            },
                            called::add),
                    new PluginOutages(clock, kind -> retryWaiting(kind)),
                    clock);

    abstract TaskQueue tasks();

    abstract StuckActionQuery stuck();

    abstract TaskRetries retries();

    List<StuckAction> stuckActions() {
        return stuck().actions(null, 10).items();
    }

    /** Retries the tasks now that wait for a plug-in. */
    abstract void retryWaiting(ResourceKind plugin);

    /** Runs tasks until a condition is true. */
    abstract void runUntil(String what, BooleanSupplier condition);

    @BeforeEach
    void leaseOfOneHost() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
    }

    void submit(PluginTask task) {
        tasks().submit(task, new Cause("event-1", "req-1", clock.instant()));
    }

    LeasePeriod later() {
        return in(HOUR);
    }

    LeasePeriod in(Duration time) {
        return new LeasePeriod(clock.instant().plus(time), clock.instant().plus(time).plus(HOUR));
    }

    List<LeaseCommand> sent() {
        return commands.commands();
    }
}
