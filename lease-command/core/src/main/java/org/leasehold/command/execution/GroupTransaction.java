package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.stored.CalendarGroupCommit;
import org.leasehold.command.journal.ConflictClassifier;
import org.leasehold.command.journal.EventTable;
import org.leasehold.command.request.CommandMetadata;
import org.leasehold.command.request.IdempotencyKeys;
import org.leasehold.command.request.TransactionKeys;

import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Decides commands together: one transaction, one lock, one append and one write to the disk for
 * all of them.
 *
 * <p>A group is atomic. If one of its commands fails, nothing of the group is stored. Each command
 * is then decided again in its own transaction, where it fails alone.
 */
final class GroupTransaction {

    /** Limits the wait for other callers' commands to some tens of milliseconds. */
    private static final int MAX_GROUP_SIZE = 64;

    private final CommandBus bus;
    private final TransactionManager transactions;
    private final EventTable events;
    private final CalendarGroupCommit calendar;
    private final IdempotencyKeys keys;

    GroupTransaction(
            CommandBus bus,
            TransactionManager transactions,
            EventTable events,
            CalendarGroupCommit calendar,
            IdempotencyKeys keys) {
        this.bus = bus;
        this.transactions = transactions;
        this.events = events;
        this.calendar = calendar;
        this.keys = keys;
    }

    /**
     * A command that waits for its group.
     *
     * @param apart two commands that have one of these in common are never in one group
     */
    record Waiting(
            CommandMessage<?> command,
            Set<Object> apart,
            CompletableFuture<CommandResultMessage<?>> result) {

        static Waiting of(CommandMessage<?> command) {
            Set<Object> apart = new HashSet<>();
            apart.add(CommandRouting.streamId(command));
            Idempotency key = CommandMetadata.context(command).idempotency();
            if (key != null) {
                // Even for different requests: a statement can take a key only once.
                apart.add(List.of(key.owner(), key.key()));
            }
            return new Waiting(command, apart, new CompletableFuture<>());
        }
    }

    /**
     * Moves the next commands from a queue to a group: the first, and those that may join it. On
     * failure, the group still has each command that left the queue, and at least one did.
     */
    static void fillGroup(Deque<Waiting> queue, List<Waiting> group) {
        Set<Object> apart = new HashSet<>();
        while (group.size() < MAX_GROUP_SIZE && !queue.isEmpty()) {
            Waiting first = queue.getFirst();
            if (!group.isEmpty() && first.apart().stream().anyMatch(apart::contains)) {
                break;
            }
            group.add(first);
            queue.removeFirst();
            apart.addAll(first.apart());
        }
    }

    /**
     * Decides all commands, and completes each result.
     *
     * @throws RuntimeException if the database is unreachable; the rest stays without a result
     */
    void decide(List<Waiting> group) {
        decideTogether(group)
                .forEach(
                        waiting ->
                                waiting.result()
                                        .complete(
                                                SynchronousDispatch.dispatch(
                                                        bus, waiting.command())));
    }

    /**
     * Decides all in one transaction; returns those that have to be decided alone.
     *
     * @throws RuntimeException if the database is unreachable: the commit may have succeeded, so no
     *     command may be decided again. Also after a timeout: another wait for each command would
     *     delay all others
     * @throws Error if the state is undefined afterwards; no command is decided again either
     */
    private List<Waiting> decideTogether(List<Waiting> group) {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("group"));
        unit.attachTransaction(transactions);
        List<Waiting> left = new ArrayList<>();
        List<Runnable> answers = new ArrayList<>();
        try {
            calendar.begin();
            // Before the events, which are appended under a lock.
            unit.onPrepareCommit(_ -> calendar.executePending());
            TransactionKeys.of(unit, keys).takeAll(commands(group));
            events.readAhead(unit, streams(group));
            for (Waiting waiting : group) {
                CommandResultMessage<?> result =
                        SynchronousDispatch.dispatch(bus, waiting.command());
                if (!result.isExceptional()
                        || result.exceptionResult() instanceof RollbackWithResultException) {
                    answers.add(() -> waiting.result().complete(result));
                } else if (result.exceptionResult() instanceof DecideAloneException) {
                    left.add(waiting);
                } else {
                    throw new GroupFailed(result.exceptionResult());
                }
            }
            unit.commit();
        } catch (RuntimeException | Error e) {
            while (unit.isActive()) {
                // A command's unit of work first, which is nested in the group's.
                CurrentUnitOfWork.get().rollback(e);
            }
            if (e instanceof Error
                    || ConflictClassifier.isDatabaseUnreachable(e)
                    || ConflictClassifier.isTimeout(e)) {
                throw e;
            }
            // Deciding each command alone shows which one fails.
            return group;
        }
        answers.forEach(Runnable::run);
        return left;
    }

    private static List<? extends CommandMessage<?>> commands(List<Waiting> group) {
        return group.stream().map(Waiting::command).toList();
    }

    private static List<String> streams(List<Waiting> group) {
        return group.stream().map(waiting -> CommandRouting.streamId(waiting.command())).toList();
    }

    /** Signals that one of the commands failed. */
    private static final class GroupFailed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        GroupFailed(Throwable cause) {
            super(cause);
        }
    }
}
