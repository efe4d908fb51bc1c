package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.InMemoryCalendar;
import org.leasehold.command.execution.AggregateDefinition;
import org.leasehold.command.execution.InMemoryCommands;
import org.leasehold.command.inventory.InMemoryInventory;
import org.leasehold.command.lease.LeaseAggregateDefinition;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.retry.RetryRegistration;
import org.leasehold.saga.task.InMemoryTaskQueue;
import org.leasehold.simulation.memory.InMemoryResources;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A process of the engine, from its start to its death. It has the write side with the in-memory
 * calendar, fires timers, and runs tasks.
 */
final class EngineProcess {

    private static final long NO_POSITION = -1;

    private final SimulatedNode node;
    private final DurableState engine;
    private final InMemoryCalendar calendar;
    private final Commands commands;
    private final Runnable timers;
    private final InMemoryTaskQueue.Node tasks;
    private final Deque<Runnable> pendingSends = new ArrayDeque<>();
    private boolean firing;
    private long position = NO_POSITION;

    EngineProcess(SimulatedNode node, DurableState engine) {
        this.node = node;
        this.engine = engine;
        ResourcePlugin plugin = engine.parts().plugin(engine.cloud().plugin(node::passCrashPoint));
        Plugins plugins = engine.parts().plugins(plugin);
        calendar =
                new InMemoryCalendar(
                        engine.tables(),
                        engine.scenario().cleaning(),
                        engine.eventLog()::head,
                        engine.clock(),
                        () -> node.passCrashPoint("the calendar was looked at"),
                        position ->
                                engine.parts().memoryPosition(position, engine.eventLog().head()));
        commands = new CrashPointCommands(node, startCommands(plugins));
        timers = engine.timers().node(commands, this::sendConcurrently, node::passCrashPoint);
        tasks =
                engine.tasks()
                        .node(
                                node.name(),
                                new InMemoryTaskQueue.World(
                                        engine.leases(),
                                        new InMemoryResources(engine.tables()),
                                        calendar.tenures(),
                                        plugins),
                                commands,
                                SagaSettings.defaults(),
                                node::passCrashPoint);
    }

    private Commands startCommands(Plugins plugins) {
        Calendar overtaken = new Overtaken(engine.parts().calendar(calendar.calendar()));
        List<AggregateDefinition<?>> shells =
                new ArrayList<>(new InMemoryInventory(engine.tables()).shells());
        shells.add(LeaseAggregateDefinition.on(plugins, overtaken));
        return InMemoryCommands.on(
                engine.eventLog(),
                new InMemoryCommands.Parts(
                        shells,
                        calendar.group(),
                        calendar.nextStarts(),
                        new InMemoryTransactions(engine.log(), node::requireAlive),
                        this::register,
                        engine.random().generator(),
                        node::collectCommands));
    }

    /** Registers what the product registers in the transaction of the events. */
    private void register(List<? extends EventMessage<?>> events) {
        engine.leases().accept(events);
        new RetryRegistration(engine.retriedRequests()).accept(events);
    }

    Commands commands() {
        return commands;
    }

    /** Deletes ended claims, as the engine's housekeeping does. */
    void deleteOldClaims() {
        calendar.forgetClaimsBefore(engine.clock().instant().minus(DurableState.RETENTION));
    }

    /** Returns true if this process's memory lacks events. */
    boolean isBehind() {
        return position < engine.eventLog().head();
    }

    /** Reads some of the missing events into memory. */
    void readEvents() {
        if (position == NO_POSITION) {
            position = calendar.learn();
            return;
        }
        List<LeaseEvent> news = new ArrayList<>();
        for (DomainEventMessage<?> event : engine.eventLog().after(position)) {
            position++;
            if (event.getPayload() instanceof LeaseEvent leaseEvent) {
                news.add(leaseEvent);
            }
        }
        calendar.learn(news, position);
    }

    /** Returns true if timers can fire: the previously picked timers must be removed first. */
    boolean canFireTimers() {
        return !firing;
    }

    /** Fires all timers that are due. */
    void fireTimers() {
        firing = true;
        timers.run();
        firing = false;
    }

    /** Sends the commands of timers from here, or lets other work send them during the wait. */
    private List<Boolean> sendConcurrently(List<BooleanSupplier> sendings) {
        Boolean[] sent = new Boolean[sendings.size()];
        for (int i = 0; i < sent.length; i++) {
            int index = i;
            pendingSends.add(() -> sent[index] = sendings.get(index).getAsBoolean());
        }
        while (hasPendingSends()) {
            sendNext();
        }
        return List.of(sent);
    }

    /** Returns true if commands of picked timers wait to be sent. */
    boolean hasPendingSends() {
        return !pendingSends.isEmpty();
    }

    void sendNext() {
        pendingSends.remove().run();
    }

    void runTask() {
        tasks.runNext();
    }

    /** A calendar that lets other work run between the reading of a stream and the decision. */
    private final class Overtaken implements Calendar {

        private final Calendar calendar;

        Overtaken(Calendar calendar) {
            this.calendar = calendar;
        }

        @Override
        public <D> D executeAndDecide(
                CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
            node.passCrashPoint("a stream was read");
            return calendar.executeAndDecide(request, decide, keep);
        }
    }
}
