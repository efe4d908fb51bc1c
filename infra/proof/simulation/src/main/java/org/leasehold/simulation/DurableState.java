package org.leasehold.simulation;

import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.journal.InMemoryEventStore;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.resource.simulator.host.InMemoryCloud;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.task.InMemoryTaskQueue;
import org.leasehold.saga.timer.InMemoryTimers;
import org.leasehold.saga.waiting.InMemoryWaitingLeases;
import org.leasehold.simulation.memory.OnePlugin;
import org.leasehold.simulation.memory.SagaRunner;
import org.leasehold.simulation.memory.SeededIdentifierFactory;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.SeededRandom;

import java.time.Duration;
import java.util.function.Consumer;

/** The state that survives the death of a process: the stored data, the cloud, and the time. */
final class DurableState {

    /** The age at which ended claims are deleted. */
    static final Duration RETENTION = Duration.ofHours(12);

    private final Scenario scenario;
    private final EngineParts parts;
    private final SeededRandom random;
    private final VirtualClock clock = new VirtualClock(VirtualClock.BEGINNING);
    private final UndoLog log = new UndoLog();
    private final InMemoryEventStore eventLog = new InMemoryEventStore(log);
    private final InMemoryTables tables;
    private final InMemoryLeases leases;
    private final InMemoryTimers timers = new InMemoryTimers(clock);
    private final InMemoryTaskQueue tasks = new InMemoryTaskQueue(clock);
    private final InMemoryCloud cloud;
    private final SagaRunner sagaRunner;

    DurableState(Scenario scenario, EngineParts parts, Consumer<Effect> effects) {
        this.scenario = scenario;
        this.parts = parts;
        this.random = SeededRandom.of(scenario.seed()).split();
        SeededIdentifierFactory.drawFrom(random.split().generator());
        this.tables = parts.tables(log);
        this.leases = parts.leases();
        this.cloud = new InMemoryCloud(Scenario.HOSTS, clock, effects);
        this.sagaRunner =
                new SagaRunner(
                        eventLog,
                        leases,
                        new OnePlugin(parts.plugin(cloud.plugin(_ -> {}))),
                        new ReactionExecutor(
                                parts.timers(timers),
                                parts.tasks(tasks),
                                new InMemoryWaitingLeases()));
    }

    Scenario scenario() {
        return scenario;
    }

    EngineParts parts() {
        return parts;
    }

    SeededRandom random() {
        return random;
    }

    VirtualClock clock() {
        return clock;
    }

    UndoLog log() {
        return log;
    }

    InMemoryEventStore eventLog() {
        return eventLog;
    }

    InMemoryTables tables() {
        return tables;
    }

    InMemoryLeases leases() {
        return leases;
    }

    InMemoryTimers timers() {
        return timers;
    }

    InMemoryTaskQueue tasks() {
        return tasks;
    }

    InMemoryCloud cloud() {
        return cloud;
    }

    SagaRunner sagaRunner() {
        return sagaRunner;
    }
}
