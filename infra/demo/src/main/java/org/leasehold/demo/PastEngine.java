package org.leasehold.demo;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.InMemoryCalendar;
import org.leasehold.command.calendar.InMemoryTables;
import org.leasehold.command.inventory.InMemoryInventory;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.command.journal.InMemoryCommands;
import org.leasehold.command.journal.InMemoryJournal;
import org.leasehold.command.lease.LeaseShell;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.command.use.UseShell;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.reaction.Reactions;
import org.leasehold.saga.task.InMemoryTasks;
import org.leasehold.saga.timer.InMemoryTimers;
import org.leasehold.saga.waiting.InMemoryWaits;
import org.leasehold.simulation.EnrolledResources;
import org.leasehold.simulation.Identifiers;
import org.leasehold.simulation.Processes;
import org.leasehold.simulation.VirtualClock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The simulated engine, without faults: one node, in memory, on a clock that moves to the next due
 * time. Deciders, calendar, timers, tasks and sagas are the product's.
 */
final class PastEngine {

    /** The retention of ended claims, as in the product. */
    private static final Duration MEMORY = Duration.ofDays(2);

    private static final Duration LONGEST_ACTION = Duration.ofMillis(40);

    private final Draw draw;
    private final VirtualClock clock;
    private final UndoLog log = new UndoLog();
    private final InMemoryJournal journal = new InMemoryJournal(log);
    private final InMemoryTables tables = new InMemoryTables(log);
    private final InMemoryLeases leases = new InMemoryLeases();
    private final PastCloud cloud = new PastCloud();
    private final InMemoryTimers timers;
    private final InMemoryTasks tasks;
    private final InMemoryCalendar calendar;
    private final Commands commands;
    private final Processes processes;
    private final Runnable fire;
    private final InMemoryTasks.Node node;
    private long remembered;
    private Instant tidied;

    PastEngine(Draw draw, Instant beginning) {
        this.draw = draw;
        Identifiers.drawFrom(draw.split().generator());
        clock = new VirtualClock(beginning);
        tidied = beginning;
        timers = new InMemoryTimers(clock);
        tasks = new InMemoryTasks(clock);
        calendar = new InMemoryCalendar(tables, Duration.ZERO, journal::head, clock, () -> {});
        commands = commands();
        processes =
                new Processes(
                        journal, leases, cloud, new Reactions(timers, tasks, new InMemoryWaits()));
        fire = timers.node(commands, this::oneByOne, _ -> {});
        node =
                tasks.node(
                        "past",
                        new InMemoryTasks.World(
                                leases, new EnrolledResources(tables), calendar.tenures(), cloud),
                        commands,
                        SagaSettings.defaults(),
                        _ -> {});
        remembered = calendar.learn();
    }

    private Commands commands() {
        List<AggregateShell<?>> shells = new ArrayList<>(new InMemoryInventory(tables).shells());
        shells.add(LeaseShell.on(cloud, calendar.calendar()));
        shells.add(UseShell.shell());
        return InMemoryCommands.on(
                journal,
                new InMemoryCommands.Parts(
                        shells,
                        calendar.group(),
                        calendar.nextStarts(),
                        new InMemoryTransactions(log, () -> {}),
                        leases,
                        draw.generator(),
                        () -> {}));
    }

    private List<Boolean> oneByOne(List<BooleanSupplier> sendings) {
        return sendings.stream()
                .map(
                        sending -> {
                            timePasses();
                            return sending.getAsBoolean();
                        })
                .toList();
    }

    Commands sends() {
        timePasses();
        return commands;
    }

    PastCloud cloud() {
        return cloud;
    }

    InMemoryLeases leases() {
        return leases;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns all events so far, in order. */
    List<DomainEventMessage<?>> history() {
        return journal.after(0);
    }

    /** Returns true if no timer, task or holder is left. */
    boolean isQuiet() {
        return timers.all().isEmpty() && tasks.all().isEmpty() && tables.holders().isEmpty();
    }

    /** Does all work that is due before an instant. */
    void runUntil(Instant instant) {
        settle();
        for (Optional<Instant> next = next(); next.filter(instant::isAfter).isPresent(); ) {
            clock.forwardTo(next.get());
            settle();
            next = next();
        }
        clock.forwardTo(instant);
        tidyUp();
    }

    private Optional<Instant> next() {
        return Stream.of(timers.next(), tasks.next())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void settle() {
        while (react() || act()) {
            timePasses();
        }
    }

    /** Passes new events to the calendar and to the sagas. */
    private boolean react() {
        boolean heard = remembered < journal.head();
        List<LeaseEvent> news = new ArrayList<>();
        for (DomainEventMessage<?> event : journal.after(remembered)) {
            remembered++;
            if (event.getPayload() instanceof LeaseEvent leaseEvent) {
                news.add(leaseEvent);
            }
        }
        calendar.learn(news);
        for (Processes.Reader reader : processes.readers()) {
            while (reader.isBehind()) {
                reader.readOn(_ -> {});
            }
        }
        return heard;
    }

    private boolean act() {
        if (isDue(timers.next())) {
            fire.run();
            return true;
        }
        return node.runNext();
    }

    private boolean isDue(Optional<Instant> next) {
        return next.filter(due -> !due.isAfter(clock.instant())).isPresent();
    }

    /** Moves the clock with every action, so that no two actions have the same time. */
    private void timePasses() {
        clock.forward(draw.upTo(LONGEST_ACTION).plusMillis(1));
    }

    private void tidyUp() {
        Instant before = clock.instant().minus(MEMORY);
        if (tidied.isBefore(before)) {
            tidied = clock.instant();
            calendar.forgetClaimsBefore(before);
        }
    }
}
