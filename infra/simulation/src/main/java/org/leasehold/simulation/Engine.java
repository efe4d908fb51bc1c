package org.leasehold.simulation;

import org.leasehold.command.calendar.InMemoryTables;
import org.leasehold.command.journal.InMemoryJournal;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.simulator.InMemoryCloud;
import org.leasehold.resource.simulator.SimulatedCloud.Effect;
import org.leasehold.saga.reaction.Reactions;
import org.leasehold.saga.task.InMemoryTasks;
import org.leasehold.saga.timer.InMemoryTimers;

import java.util.function.Consumer;

/** All that survives the death of a process: what is stored, the cloud, and the time. */
final class Engine {

    private final Scenario scenario;
    private final Parts parts;
    private final Chance chance;
    private final VirtualClock clock = new VirtualClock();
    private final InMemoryJournal journal;
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
        Identifiers.drawFrom(chance.split());
        this.journal = parts.journal();
        this.tables = parts.tables();
        this.leases = parts.leases();
        this.cloud = new InMemoryCloud(Scenario.HOSTS, clock, effects);
        journal.subscribe(leases);
        this.processes =
                new Processes(
                        journal, leases, new Reactions(parts.timers(timers), parts.tasks(tasks)));
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
