package org.leasehold.demo;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.stored.InMemoryCalendar;
import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.execution.AggregateDefinition;
import org.leasehold.command.execution.InMemoryCommands;
import org.leasehold.command.inventory.InMemoryInventory;
import org.leasehold.command.journal.InMemoryEventStore;
import org.leasehold.command.lease.LeaseAggregateDefinition;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.command.use.UseAggregateDefinition;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.task.InMemoryTaskQueue;
import org.leasehold.saga.timer.InMemoryTimers;
import org.leasehold.saga.waiting.InMemoryWaitingLeases;
import org.leasehold.simulation.memory.InMemoryResources;
import org.leasehold.simulation.memory.SagaRunner;
import org.leasehold.simulation.memory.SeededIdentifierFactory;
import org.leasehold.simulation.memory.VirtualClock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * The simulated engine, without faults: one node, in memory, on a clock that moves to the next due
 * time. Deciders, calendar, timers, tasks and sagas are the product's.
 */
final class SingleNodeEngine {

    /** The retention of ended claims, as in the product. */
    private static final Duration CLAIM_RETENTION = Duration.ofDays(2);

    private static final Duration MAX_ACTION_TIME = Duration.ofMillis(40);

    private final WorkloadRandom random;
    private final VirtualClock clock;
    private final UndoLog log = new UndoLog();
    private final InMemoryEventStore eventLog = new InMemoryEventStore(log);
    private final InMemoryTables tables = new InMemoryTables(log);
    private final InMemoryLeases leases = new InMemoryLeases();
    private final StatelessCloud cloud = new StatelessCloud();
    private final InMemoryTimers timers;
    private final InMemoryTaskQueue tasks;
    private final InMemoryCalendar calendar;
    private final Commands commands;
    private final SagaRunner sagas;
    private final Runnable fireTimers;
    private final InMemoryTaskQueue.Node node;
    private long position;
    private Instant lastCleanup;

    SingleNodeEngine(WorkloadRandom draw, Instant beginning) {
        this.random = draw;
        SeededIdentifierFactory.drawFrom(draw.split().generator());
        clock = new VirtualClock(beginning);
        lastCleanup = beginning;
        timers = new InMemoryTimers(clock);
        tasks = new InMemoryTaskQueue(clock);
        calendar =
                new InMemoryCalendar(
                        tables,
                        Duration.ZERO,
                        eventLog::head,
                        clock,
                        () -> {},
                        LongUnaryOperator.identity());
        commands = commands();
        sagas =
                new SagaRunner(
                        eventLog,
                        leases,
                        cloud,
                        new ReactionExecutor(
                                timers, tasks, new InMemoryWaitingLeases(), Duration.ZERO),
                        // The demo retries no request.
                        List.of());
        fireTimers = timers.node(commands, this::sendSequentially, _ -> {});
        node =
                tasks.node(
                        "past",
                        new InMemoryTaskQueue.World(
                                leases, new InMemoryResources(tables), calendar.tenures(), cloud),
                        commands,
                        SagaSettings.defaults(),
                        _ -> {});
        position = calendar.learn();
    }

    private Commands commands() {
        List<AggregateDefinition<?>> shells =
                new ArrayList<>(new InMemoryInventory(tables).shells());
        shells.add(LeaseAggregateDefinition.on(cloud, calendar.calendar()));
        shells.add(UseAggregateDefinition.shell());
        return InMemoryCommands.on(
                eventLog,
                new InMemoryCommands.Parts(
                        shells,
                        calendar.group(),
                        calendar.nextStarts(),
                        new InMemoryTransactions(log, () -> {}),
                        leases,
                        random.generator(),
                        () -> {}));
    }

    private List<Boolean> sendSequentially(List<BooleanSupplier> sendings) {
        return sendings.stream()
                .map(
                        sending -> {
                            advanceClock();
                            return sending.getAsBoolean();
                        })
                .toList();
    }

    Commands tickAndGetCommands() {
        advanceClock();
        return commands;
    }

    StatelessCloud cloud() {
        return cloud;
    }

    InMemoryLeases leases() {
        return leases;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns all events so far, in order. */
    List<DomainEventMessage<?>> events() {
        return eventLog.after(0);
    }

    /** Returns true if no timer, task or holder is left. */
    boolean isIdle() {
        return timers.all().isEmpty() && tasks.all().isEmpty() && tables.holders().isEmpty();
    }

    /** Does all work that is due before an instant. */
    void runUntil(Instant instant) {
        runDueWork();
        for (Optional<Instant> next = nextDue(); next.filter(instant::isAfter).isPresent(); ) {
            clock.forwardTo(next.get());
            runDueWork();
            next = nextDue();
        }
        clock.forwardTo(instant);
        deleteOldClaims();
    }

    private Optional<Instant> nextDue() {
        return Stream.of(timers.next(), tasks.next())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void runDueWork() {
        while (dispatchNewEvents() || runNextAction()) {
            advanceClock();
        }
    }

    /** Passes new events to the calendar and to the sagas. */
    private boolean dispatchNewEvents() {
        boolean heard = position < eventLog.head();
        List<LeaseEvent> news = new ArrayList<>();
        for (DomainEventMessage<?> event : eventLog.after(position)) {
            position++;
            if (event.getPayload() instanceof LeaseEvent leaseEvent) {
                news.add(leaseEvent);
            }
        }
        calendar.learn(news, position);
        for (SagaRunner.Reader reader : sagas.readers()) {
            while (reader.isBehind()) {
                reader.handleNextBatch(_ -> {});
            }
        }
        return heard;
    }

    private boolean runNextAction() {
        if (isDue(timers.next())) {
            fireTimers.run();
            return true;
        }
        return node.runNext();
    }

    private boolean isDue(Optional<Instant> next) {
        return next.filter(due -> !due.isAfter(clock.instant())).isPresent();
    }

    /** Moves the clock with every action, so that no two actions have the same time. */
    private void advanceClock() {
        clock.forward(random.upTo(MAX_ACTION_TIME).plusMillis(1));
    }

    private void deleteOldClaims() {
        Instant before = clock.instant().minus(CLAIM_RETENTION);
        if (lastCleanup.isBefore(before)) {
            lastCleanup = clock.instant();
            calendar.forgetClaimsBefore(before);
        }
    }
}
