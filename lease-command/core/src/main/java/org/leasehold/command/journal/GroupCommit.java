package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.command.calendar.CalendarGroup;
import org.leasehold.command.calendar.Postponed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Decides commands one after the other, in one thread, and commits together what has gathered while
 * the commit before was under way: one transaction, one lock, one append and one write to the disk
 * for all of them. Nobody is made to wait for company.
 *
 * <p>A group is all or nothing. When one of its commands fails, nothing of the group is stored, and
 * each command is decided again in a transaction of its own, where it fails alone.
 */
final class GroupCommit implements AutoCloseable {

    /** So that nobody waits for more than some tens of milliseconds of other people's commands. */
    private static final int LARGEST = 64;

    private final CommandBus bus;
    private final TransactionManager transactions;
    private final PostgresEventStorageEngine engine;
    private final CalendarGroup calendar;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final Thread writer = Thread.ofPlatform().name("journal-writer").unstarted(this::work);
    private boolean closed;

    GroupCommit(
            CommandBus bus,
            TransactionManager transactions,
            PostgresEventStorageEngine engine,
            CalendarGroup calendar) {
        this.bus = bus;
        this.transactions = transactions;
        this.engine = engine;
        this.calendar = calendar;
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * A command that waits for its turn.
     *
     * @param apart two commands that have one of these in common are never in one group
     */
    private record Waiting(
            CommandMessage<?> command,
            Set<Object> apart,
            CompletableFuture<CommandResultMessage<?>> result) {}

    /** The result, once it is committed. */
    CommandResultMessage<?> send(CommandMessage<?> command) {
        Set<Object> apart = new HashSet<>();
        apart.add(CommandRouting.stream(command));
        Object key = CommandMetadata.context(command).idempotency();
        if (key != null) {
            apart.add(key);
        }
        Waiting waiting = new Waiting(command, apart, new CompletableFuture<>());
        synchronized (queue) {
            if (closed) {
                throw new IllegalStateException("the journal is closed");
            }
            queue.add(waiting);
            queue.notifyAll();
        }
        return await(waiting.result());
    }

    private static CommandResultMessage<?> await(
            CompletableFuture<CommandResultMessage<?>> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    /** How many commands wait for the next group. */
    int waiting() {
        synchronized (queue) {
            return queue.size();
        }
    }

    private void work() {
        for (List<Waiting> group = next(); !group.isEmpty(); group = next()) {
            try {
                decide(group);
            } catch (RuntimeException | Error e) {
                // Its senders hear of it; the writer goes on with the next group.
                group.forEach(waiting -> waiting.result().completeExceptionally(e));
            }
        }
    }

    /** Empty when there will be none any more. */
    private List<Waiting> next() {
        synchronized (queue) {
            while (queue.isEmpty() && !closed) {
                try {
                    queue.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("nobody interrupts the journal's writer", e);
                }
            }
            List<Waiting> group = new ArrayList<>();
            Set<Object> apart = new HashSet<>();
            while (group.size() < LARGEST && !queue.isEmpty()) {
                if (queue.getFirst().apart().stream().anyMatch(apart::contains)) {
                    break;
                }
                Waiting waiting = queue.removeFirst();
                apart.addAll(waiting.apart());
                group.add(waiting);
            }
            return group;
        }
    }

    private void decide(List<Waiting> group) {
        together(group)
                .forEach(
                        waiting ->
                                waiting.result().complete(Dispatch.over(bus, waiting.command())));
    }

    /**
     * Decides all in one transaction; returns those that have to be decided alone.
     *
     * @throws RuntimeException when the database is away: nobody knows what became of the commit,
     *     so that nothing may be decided again; and when it was waited for long enough: to wait
     *     once more for each command would keep all others waiting
     */
    private List<Waiting> together(List<Waiting> group) {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("group"));
        unit.attachTransaction(transactions);
        List<Waiting> left = new ArrayList<>();
        List<Runnable> answers = new ArrayList<>();
        try {
            calendar.begin();
            // Before the events, which are appended under a lock.
            unit.onPrepareCommit(_ -> calendar.carryOut());
            engine.readAhead(unit, streams(group));
            for (Waiting waiting : group) {
                CommandResultMessage<?> result = Dispatch.over(bus, waiting.command());
                if (!result.isExceptional() || result.exceptionResult() instanceof Undone) {
                    answers.add(() -> waiting.result().complete(result));
                } else if (result.exceptionResult() instanceof Postponed) {
                    left.add(waiting);
                } else {
                    throw new GroupFailed(result.exceptionResult());
                }
            }
            unit.commit();
        } catch (RuntimeException e) {
            if (unit.isActive()) {
                unit.rollback(e);
            }
            if (Conflicts.isDatabaseAway(e) || Conflicts.isOutOfTime(e)) {
                throw e;
            }
            // Whose fault it is shows when each is decided alone.
            return group;
        }
        answers.forEach(Runnable::run);
        return left;
    }

    private static List<String> streams(List<Waiting> group) {
        return group.stream().map(waiting -> CommandRouting.stream(waiting.command())).toList();
    }

    /** One of the commands failed. */
    private static final class GroupFailed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        GroupFailed(Throwable cause) {
            super(cause);
        }
    }

    /** Decides what waits already, and nothing more. */
    @Override
    public void close() {
        synchronized (queue) {
            closed = true;
            queue.notifyAll();
        }
        try {
            writer.join();
        } catch (InterruptedException e) {
            // Whoever is in such a hurry gets a writer that is cut off, which it survives.
            Thread.currentThread().interrupt();
        }
    }
}
