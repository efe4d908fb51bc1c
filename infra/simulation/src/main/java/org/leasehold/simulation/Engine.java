package org.leasehold.simulation;

import org.leasehold.command.calendar.InMemoryTables;
import org.leasehold.command.journal.InMemoryJournal;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.simulator.InMemoryCloud;
import org.leasehold.resource.simulator.SimulatedCloud.Effect;
import org.leasehold.saga.reaction.Reactions;
import org.leasehold.saga.task.InMemoryTasks;
import org.leasehold.saga.timer.InMemoryTimers;
import org.leasehold.saga.waiting.InMemoryWaits;

import java.time.Duration;
import java.util.function.Consumer;

/** The state that survives the death of a process: the stored data, the cloud, and the time. */
final class Engine {

    /** The age at which ended claims are deleted. */
    static final Duration MEMORY = Duration.ofHours(12);

    private final Scenario scenario;
    private final Parts parts;
    private final Chance chance;
    private final VirtualClock clock = new VirtualClock(VirtualClock.BEGINNING);
    private final UndoLog log = new UndoLog();
    private final InMemoryJournal journal = new InMemoryJournal(log);
    private final InMemoryTables tables;
    private final InMemoryLeases leases;
    private final InMemoryTimers timers = new InMemoryTimers(clock);
    private final InMemoryTasks tasks = new InMemoryTasks(clock);
    private final InMemoryCloud cloud;
    private final Processes processes;

    Engine(Scenario scenario, Parts parts, Consumer<Effect> effects) {
        this.scenario = scenario;
        this.parts = parts;
        this.chance = Chance.of(scenario.seed()).split();
        Identifiers.drawFrom(chance.split().generator());
        this.tables = parts.tables(log);
        this.leases = parts.leases();
        this.cloud = new InMemoryCloud(Scenario.HOSTS, clock, effects);
        this.processes =
                new Processes(
                        journal,
                        leases,
                        new OnePlugin(parts.plugin(cloud.plugin(_ -> {}))),
                        new Reactions(
                                parts.timers(timers), parts.tasks(tasks), new InMemoryWaits()));
    }

    Scenario scenario() {
        return scenario;
    }

    Parts parts() {
        return parts;
    }

    Chance chance() {
        return chance;
    }

    VirtualClock clock() {
        return clock;
    }

    UndoLog log() {
        return log;
    }

    InMemoryJournal journal() {
        return journal;
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

    InMemoryTasks tasks() {
        return tasks;
    }

    InMemoryCloud cloud() {
        return cloud;
    }

    Processes processes() {
        return processes;
    }
}
