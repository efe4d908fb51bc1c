package org.leasehold.simulation;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.InMemoryCalendar;
import org.leasehold.command.inventory.InMemoryInventory;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.command.journal.InMemoryCommands;
import org.leasehold.command.lease.LeaseShell;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.task.InMemoryTasks;
import org.leasehold.saga.timer.InMemoryTimers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** A machine on which a process of the engine is started, dies, and is started again. */
final class Node {

    private final String machine;
    private final Engine engine;
    private final Commands commands;
    private final InMemoryTasks.World world;
    private InMemoryTimers.Node timers;
    private InMemoryTasks.Node tasks;
    private int starts = 1;
    private final Consumer<Node> others;
    private boolean alive = true;
    private int passingsLeft = Integer.MAX_VALUE;

    /**
     * Sets a machine up and starts a process on it.
     *
     * @param others lets other processes act; called wherever a real one might be overtaken
     */
    Node(String machine, Engine engine, Consumer<Node> others) {
        this.machine = machine;
        this.engine = engine;
        this.others = others;
        ResourcePlugin plugin = engine.parts().plugin(engine.cloud().plugin(this::passing));
        Plugins plugins = new OnePlugin(plugin);
        InMemoryCalendar calendar =
                new InMemoryCalendar(
                        engine.tables(),
                        engine.scenario().cleaning(),
                        engine.journal()::head,
                        () -> passing("the calendar was looked at"));
        List<AggregateShell<?>> shells =
                new ArrayList<>(new InMemoryInventory(engine.tables()).shells());
        shells.add(LeaseShell.on(plugins, new Overtaken(engine.parts().calendar(calendar))));
        commands =
                new Guarded(
                        new InMemoryCommands(
                                engine.journal(), shells, engine.chance().generator(), () -> {}));
        world =
                new InMemoryTasks.World(
                        engine.leases(), new EnrolledResources(engine.tables()), calendar, plugins);
        timers = startTimers();
        tasks = startTasks();
    }

    private InMemoryTimers.Node startTimers() {
        return engine.timers().node(name(), commands, this::passing);
    }

    private InMemoryTasks.Node startTasks() {
        return engine.tasks().node(name(), world, commands, SagaSettings.defaults(), this::passing);
    }

    /** Starts another process in place of the dead one. */
    void restart() {
        starts++;
        alive = true;
        passingsLeft = Integer.MAX_VALUE;
        timers = startTimers();
        tasks = startTasks();
    }

    /** The name of the present process. */
    String name() {
        return machine + "." + starts;
    }

    Commands commands() {
        return commands;
    }

    InMemoryTimers.Node timers() {
        return timers;
    }

    InMemoryTasks.Node tasks() {
        return tasks;
    }

    boolean isAlive() {
        return alive;
    }

    /** Dies so many effects later. */
    void dieAfter(int passings) {
        passingsLeft = passings;
    }

    /**
     * Is called between any two effects.
     *
     * @throws Killed if the process is dead, or dies here
     */
    void passing(String where) {
        surviving(where);
        others.accept(this);
        if (!alive) {
            throw new Killed(name());
        }
    }

    /** The same where nobody overtakes, because it is in the middle of a transaction. */
    void surviving(String where) {
        if (alive) {
            alive = passingsLeft > 0;
            passingsLeft--;
        }
        if (!alive) {
            throw new Killed(name() + ": " + where);
        }
    }

    private record OnePlugin(ResourcePlugin plugin) implements Plugins {

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return kind.equals(plugin.kind()) ? Optional.of(plugin) : Optional.empty();
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(List.of(plugin.kind().value()));
        }
    }

    /** Others may be faster between the reading of a stream and the decision on it. */
    private final class Overtaken implements Calendar {

        private final Calendar calendar;

        Overtaken(Calendar calendar) {
            this.calendar = calendar;
        }

        @Override
        public <D> D settle(CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
            passing("a stream was read");
            return calendar.settle(request, decide, keep);
        }
    }

    /** A process may die before a command and after it. */
    private final class Guarded implements Commands {

        private final Commands inner;

        Guarded(Commands inner) {
            this.inner = inner;
        }

        @Override
        public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
            passing("a command is about to be sent");
            Outcome<LeaseRejection> outcome = inner.send(command, context);
            passing("a command was sent");
            return outcome;
        }

        @Override
        public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
            passing("a command is about to be sent");
            Outcome<ResourceRejection> outcome = inner.send(command, context);
            passing("a command was sent");
            return outcome;
        }

        @Override
        public void send(PropertyVisibility command, CommandContext context) {
            inner.send(command, context);
        }

        @Override
        public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
            return inner.rehearse(command, context);
        }

        @Override
        public ResourceId nextResourceId() {
            return inner.nextResourceId();
        }
    }
}
