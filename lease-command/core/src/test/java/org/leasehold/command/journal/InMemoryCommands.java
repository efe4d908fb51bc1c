package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.EventMessage;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.CalendarGroup;
import org.leasehold.command.calendar.NextStarts;
import org.leasehold.command.journal.Groups.Waiting;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A node's door to the write side, on a journal that all nodes share. Everything but the tables is
 * the engine's; only the writer has no thread.
 */
public final class InMemoryCommands {

    private InMemoryCommands() {}

    /**
     * What a node consists of, as far as commands have to do with it.
     *
     * @param leases is told the events in their transaction
     * @param random for the rests before a command is decided again, of which nobody takes one
     * @param gathering is run when a command waits for its group: others may be sent meanwhile
     */
    public record Parts(
            List<AggregateShell<?>> shells,
            CalendarGroup calendar,
            NextStarts nextStarts,
            PlatformTransactionManager transactions,
            Consumer<List<? extends EventMessage<?>>> leases,
            RandomGenerator random,
            Runnable gathering) {}

    public static Commands on(InMemoryJournal tables, Parts node) {
        NobodyAudits nobody = new NobodyAudits();
        TransactionManager transactions = new SpringTransactions(node.transactions());
        Journal journal = new Journal(tables.events);
        journal.subscribe(node.leases());
        CommandBus bus =
                CommandRouting.bus(
                        transactions,
                        new CommandBoundary(
                                journal,
                                tables.events,
                                tables.keys,
                                nobody,
                                node.calendar(),
                                node.nextStarts()),
                        journal,
                        node.shells());
        return new AxonCommands(
                bus,
                new InTurn(
                        new Groups(bus, transactions, tables.events, node.calendar(), tables.keys),
                        node.gathering()),
                tables.events,
                nobody,
                new Retry(node.random(), _ -> {}),
                new RefusalCompletion(tables.keys, transactions),
                tables::nextResource);
    }

    /**
     * A writer without a thread: whoever has sent a command lets others send theirs, and then has
     * all decided that wait. Those whose turn has not come are decided by others' senders.
     */
    private record InTurn(Groups groups, Runnable gathering, Deque<Waiting> queue)
            implements Writer {

        InTurn(Groups groups, Runnable gathering) {
            this(groups, gathering, new ArrayDeque<>());
        }

        @Override
        public CommandResultMessage<?> send(CommandMessage<?> command) {
            Waiting waiting = Waiting.with(command);
            queue.add(waiting);
            gathering.run();
            while (!waiting.result().isDone()) {
                List<Waiting> group = new ArrayList<>();
                Groups.move(queue, group);
                groups.decide(group);
            }
            return waiting.result().join();
        }
    }

    /** Nobody looks at denied attempts in the simulation, nor does anybody come from somewhere. */
    private static final class NobodyAudits implements DeniedAttempts, OriginTable {

        @Override
        public <R> void record(
                String target,
                Object command,
                R rejection,
                Class<? super R> rejections,
                CommandContext context) {}

        @Override
        public void keep(Collection<CommandContext> contexts) {}

        @Override
        public int forget(Instant before, int atMost) {
            return 0;
        }
    }
}
