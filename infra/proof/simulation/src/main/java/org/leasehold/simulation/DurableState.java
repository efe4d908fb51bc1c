package org.leasehold.simulation;

import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.journal.InMemoryEventStore;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.resource.simulator.host.InMemoryCloud;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.retry.EarlyAttempts;
import org.leasehold.saga.retry.InMemoryRetriedRequests;
import org.leasehold.saga.retry.ReservedKinds;
import org.leasehold.saga.retry.RetriedRequests;
import org.leasehold.saga.task.InMemoryTaskQueue;
import org.leasehold.saga.timer.InMemoryTimers;
import org.leasehold.saga.timer.Timers;
import org.leasehold.saga.waiting.InMemoryWaitingLeases;
import org.leasehold.simulation.memory.SagaRunner;
import org.leasehold.simulation.memory.SeededIdentifierFactory;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.SeededRandom;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The state that survives the death of a process: the stored data, the cloud, and the time. */
final class DurableState {

    /** The age at which ended claims are deleted. */
    static final Duration RETENTION = Duration.ofHours(12);

    /** So few that some freed capacity wakes less than all requests. */
    private static final int MAX_EARLY_ATTEMPTS = 2;

    /** So short that the hosts of some running leases are replaced. */
    private static final Duration REPLACE_FAILED_AFTER = Duration.ofMinutes(1);

    private final Scenario scenario;
    private final EngineParts parts;
    private final SeededRandom random;
    private final VirtualClock clock = new VirtualClock(VirtualClock.BEGINNING);
    private final UndoLog log = new UndoLog();
    private final InMemoryEventStore eventLog = new InMemoryEventStore(log);
    private final InMemoryTables tables;
    private final InMemoryLeases leases;
    private final InMemoryTimers timers = new InMemoryTimers(clock);
    private final RetriedRequests retriedRequests = new InMemoryRetriedRequests();
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
        Plugins plugins = parts.plugins(parts.plugin(cloud.plugin(_ -> {})));
        Timers brokenTimers = parts.timers(timers);
        this.sagaRunner =
                new SagaRunner(
                        eventLog,
                        leases,
                        plugins,
                        new ReactionExecutor(
                                brokenTimers,
                                parts.tasks(tasks),
                                new InMemoryWaitingLeases(),
                                REPLACE_FAILED_AFTER),
                        List.of(earlyAttempts(brokenTimers, plugins).module()));
    }

    private EarlyAttempts earlyAttempts(Timers timers, Plugins plugins) {
        return new EarlyAttempts(
                retriedRequests,
                timers,
                streams ->
                        streams.stream()
                                .flatMap(
                                        each ->
                                                EngineParts.recorded(eventLog.stream(each))
                                                        .stream())
                                .toList(),
                new ReservedKinds(plugins),
                MAX_EARLY_ATTEMPTS);
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

    RetriedRequests retriedRequests() {
        return retriedRequests;
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
