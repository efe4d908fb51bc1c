package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.InMemoryCalendar;
import org.leasehold.command.inventory.InMemoryInventory;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.command.journal.InMemoryCommands;
import org.leasehold.command.lease.LeaseShell;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.task.InMemoryTasks;

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

    private static final long NOTHING = -1;

    private final Node node;
    private final Engine engine;
    private final InMemoryCalendar calendar;
    private final Commands commands;
    private final Runnable timers;
    private final InMemoryTasks.Node tasks;
    private final Deque<Runnable> toSend = new ArrayDeque<>();
    private boolean firing;
    private long remembers = NOTHING;

    EngineProcess(Node node, Engine engine) {
        this.node = node;
        this.engine = engine;
        ResourcePlugin plugin = engine.parts().plugin(engine.cloud().plugin(node::passing));
        Plugins plugins = new OnePlugin(plugin);
        calendar =
                new InMemoryCalendar(
                        engine.tables(),
                        engine.scenario().cleaning(),
                        engine.journal()::head,
                        engine.clock(),
                        () -> node.passing("the calendar was looked at"));
        commands = new GuardedCommands(node, startCommands(plugins));
        timers = engine.timers().node(commands, this::sideBySide, node::passing);
        tasks =
                engine.tasks()
                        .node(
                                node.name(),
                                new InMemoryTasks.World(
                                        engine.leases(),
                                        new EnrolledResources(engine.tables()),
                                        calendar.tenures(),
                                        plugins),
                                commands,
                                SagaSettings.defaults(),
                                node::passing);
    }

    private Commands startCommands(Plugins plugins) {
        Calendar overtaken = new Overtaken(engine.parts().calendar(calendar.calendar()));
        List<AggregateShell<?>> shells =
                new ArrayList<>(new InMemoryInventory(engine.tables()).shells());
        shells.add(LeaseShell.on(plugins, overtaken));
        return InMemoryCommands.on(
                engine.journal(),
                new InMemoryCommands.Parts(
                        shells,
                        calendar.group(),
                        calendar.nextStarts(),
                        new InMemoryTransactions(engine.log(), node::requireAlive),
                        engine.leases(),
                        engine.chance().generator(),
                        node::gather));
    }

    Commands commands() {
        return commands;
    }

    /** Deletes ended claims, as the engine's housekeeping does. */
    void keepHouse() {
        calendar.forgetClaimsBefore(engine.clock().instant().minus(Engine.MEMORY));
    }

    /** Returns true if this process's memory lacks events. */
    boolean isBehind() {
        return remembers < engine.journal().head();
    }

    /** Reads some of the missing events into memory. */
    void learn() {
        if (remembers == NOTHING) {
            remembers = calendar.learn();
            return;
        }
        List<LeaseEvent> news = new ArrayList<>();
        for (DomainEventMessage<?> event : engine.journal().after(remembers)) {
            remembers++;
            if (event.getPayload() instanceof LeaseEvent leaseEvent) {
                news.add(leaseEvent);
            }
        }
        calendar.learn(news);
    }

    /** Returns true if timers can fire: the previously picked timers must be removed first. */
    boolean canFire() {
        return !firing;
    }

    /** Fires all timers that are due. */
    void fire() {
        firing = true;
        timers.run();
        firing = false;
    }

    /** Sends the commands of timers from here, or lets other work send them during the wait. */
    private List<Boolean> sideBySide(List<BooleanSupplier> sendings) {
        Boolean[] sent = new Boolean[sendings.size()];
        for (int i = 0; i < sent.length; i++) {
            int place = i;
            toSend.add(() -> sent[place] = sendings.get(place).getAsBoolean());
        }
        while (hasToSend()) {
            sendOne();
        }
        return List.of(sent);
    }

    /** Returns true if commands of picked timers wait to be sent. */
    boolean hasToSend() {
        return !toSend.isEmpty();
    }

    void sendOne() {
        toSend.remove().run();
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
        public <D> D settle(CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
            node.passing("a stream was read");
            return calendar.settle(request, decide, keep);
        }
    }
}
