package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.EventMessage;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.stored.CalendarGroupCommit;
import org.leasehold.command.execution.GroupTransaction.Waiting;
import org.leasehold.command.journal.InMemoryEventStore;
import org.leasehold.command.journal.NotifyingEventStore;
import org.leasehold.command.request.OriginTable;
import org.leasehold.command.request.RejectionLog;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A node's entry point of the write side, on an event log that all nodes share. Everything except
 * the tables is the engine's; only the writer has no thread.
 */
public final class InMemoryCommands {

    private InMemoryCommands() {}

    /**
     * The parts of a node that commands need.
     *
     * @param leases receives the events in their transaction
     * @param random the source for pauses before a retry, which do not occur here
     * @param gathering runs when a command waits for its group: others may be sent meanwhile
     */
    public record Parts(
            List<AggregateDefinition<?>> shells,
            CalendarGroupCommit calendar,
            PendingStartSearches nextStarts,
            PlatformTransactionManager transactions,
            Consumer<List<? extends EventMessage<?>>> leases,
            RandomGenerator random,
            Runnable gathering) {}

    public static Commands on(InMemoryEventStore tables, Parts node) {
        NoAudit noAudit = new NoAudit();
        TransactionManager transactions = new SpringTransactions(node.transactions());
        NotifyingEventStore journal = new NotifyingEventStore(tables.events);
        journal.subscribe(node.leases());
        CommandBus bus =
                CommandRouting.bus(
                        transactions,
                        new CommandInterceptor(
                                journal,
                                tables.events,
                                tables.keys,
                                noAudit,
                                node.calendar(),
                                node.nextStarts(),
                                // Used for requests over a network alone; there are none.
                                Clock.systemUTC()),
                        journal,
                        node.shells());
        return new AxonCommands(
                bus,
                new InTurn(
                        new GroupTransaction(
                                bus, transactions, tables.events, node.calendar(), tables.keys),
                        node.gathering()),
                tables.events,
                noAudit,
                new ContentionRetry(node.random(), _ -> {}),
                new RefusalCompletion(tables.keys, transactions),
                tables::nextResource);
    }

    /**
     * A writer without a thread. The sender of a command first lets others send theirs, and then
     * decides all waiting commands. The senders of other commands decide the rest.
     */
    private record InTurn(GroupTransaction groups, Runnable gathering, Deque<Waiting> queue)
            implements CommandExecutor {

        InTurn(GroupTransaction groups, Runnable gathering) {
            this(groups, gathering, new ArrayDeque<>());
        }

        @Override
        public CommandResultMessage<?> send(CommandMessage<?> command) {
            Waiting waiting = Waiting.of(command);
            queue.add(waiting);
            gathering.run();
            while (!waiting.result().isDone()) {
                List<Waiting> group = new ArrayList<>();
                GroupTransaction.fillGroup(queue, group);
                groups.decide(group);
            }
            return waiting.result().join();
        }
    }

    /** Ignores rejected attempts and origins, which the simulation does not use. */
    private static final class NoAudit implements RejectionLog, OriginTable {

        @Override
        public <R> void record(
                String target,
                Object command,
                R rejection,
                Class<? super R> rejections,
                CommandContext context) {}

        @Override
        public void storeOrigins(Collection<CommandContext> contexts) {}

        @Override
        public int eraseBefore(Instant before, int limit) {
            return 0;
        }
    }
}
