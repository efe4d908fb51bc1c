package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.journal.EventTable;
import org.leasehold.command.request.CommandMetadata;
import org.leasehold.command.request.CommandReceipt;
import org.leasehold.command.request.RejectionLog;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.UseObserved;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Sends commands over Axon's bus. Commands for leases are committed in groups; any other command
 * has its own unit of work and transaction.
 */
final class AxonCommands implements Commands {

    private final CommandBus bus;
    private final CommandExecutor writer;
    private final EventTable events;
    private final RejectionLog rejectionLog;
    private final ContentionRetry retry;
    private final RefusalCompletion refusals;
    private final LongSupplier resourceNumbers;

    /**
     * Takes the writer for leases, and the bus for all other commands.
     *
     * @param resourceNumbers supplies each number once
     */
    AxonCommands(
            CommandBus bus,
            CommandExecutor writer,
            EventTable events,
            RejectionLog denied,
            ContentionRetry retry,
            RefusalCompletion refusals,
            LongSupplier resourceNumbers) {
        this.bus = bus;
        this.writer = writer;
        this.events = events;
        this.rejectionLog = denied;
        this.retry = retry;
        this.refusals = refusals;
        this.resourceNumbers = resourceNumbers;
    }

    @Override
    public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        Outcome<LeaseRejection> outcome =
                outcome(LeaseCommand.class, command, context, new LeaseNotFound(command.leaseId()));
        if (outcome instanceof Rejected<LeaseRejection>(LeaseRejection rejection)) {
            rejectionLog.record(
                    command.leaseId().toString(),
                    command,
                    rejection,
                    LeaseRejection.class,
                    context);
        }
        return outcome;
    }

    @Override
    public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
        Outcome<ResourceRejection> outcome =
                outcome(
                        ResourceCommand.class,
                        command,
                        context,
                        new ResourceNotFound(command.resourceId()));
        if (outcome instanceof Rejected<ResourceRejection>(ResourceRejection rejection)) {
            rejectionLog.record(
                    command.resourceId().toString(),
                    command,
                    rejection,
                    ResourceRejection.class,
                    context);
        }
        return outcome;
    }

    @Override
    public void send(PropertyVisibility command, CommandContext context) {
        retry.retryOnConflict(
                () ->
                        dispatch(
                                PropertyVisibility.class,
                                command,
                                context,
                                CommandReceipt.ofCommand()));
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        retry.retryOnConflict(
                () -> dispatch(UseObserved.class, command, context, CommandReceipt.ofCommand()));
    }

    @Override
    public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
        return retry.retryOnConflict(
                () -> {
                    CommandReceipt receipt = CommandReceipt.ofRehearsal();
                    Outcome<LeaseRejection> outcome =
                            castOutcome(dispatch(LeaseCommand.class, command, context, receipt));
                    List<LeaseEvent> decided =
                            receipt.events().stream().map(LeaseEvent.class::cast).toList();
                    Outcome<LeaseRejection> complete = refusals.complete(outcome, receipt, null);
                    return new Rehearsal(
                            CommandInterceptor.withPosition(events.head(), complete), decided);
                });
    }

    @Override
    public ResourceId nextResourceId() {
        return new ResourceId(resourceNumbers.getAsLong());
    }

    private <R> Outcome<R> outcome(
            Class<?> name, Object command, CommandContext context, R missing) {
        AtomicReference<CommandReceipt> last = new AtomicReference<>(CommandReceipt.ofCommand());
        Outcome<R> outcome =
                retry.retryOnConflict(
                        () -> {
                            CommandReceipt receipt = CommandReceipt.ofCommand();
                            last.set(receipt);
                            return outcome(name, command, context, missing, receipt);
                        });
        // Not retried: the command is decided.
        return refusals.complete(
                outcome, Objects.requireNonNull(last.get()), context.idempotency());
    }

    private <R> Outcome<R> outcome(
            Class<?> name,
            Object command,
            CommandContext context,
            R missing,
            CommandReceipt receipt) {
        Outcome<R> outcome;
        try {
            outcome = castOutcome(dispatch(name, command, context, receipt));
        } catch (AggregateNotFoundException e) {
            return new Rejected<>(missing);
        }
        return hasPosition(outcome) ? outcome : withPosition(outcome, receipt);
    }

    /** Returns true for the stored outcome of a repeated request, which has its position. */
    private static boolean hasPosition(Outcome<?> outcome) {
        return switch (outcome) {
            case Accepted<?> accepted -> accepted.position() > 0;
            case Refused<?> refused -> refused.position() > 0;
            case Rejected<?> ignored -> true;
        };
    }

    private <R> Outcome<R> withPosition(Outcome<R> outcome, CommandReceipt receipt) {
        Long position = receipt.position();
        return CommandInterceptor.withPosition(
                position == null ? events.head() : position, outcome);
    }

    /** Casts the outcome: the handler of a kind of command returns that kind's outcome. */
    @SuppressWarnings("unchecked")
    private static <R> Outcome<R> castOutcome(@Nullable Object answer) {
        return (Outcome<R>) Objects.requireNonNull(answer, "a handler answers with an outcome");
    }

    /**
     * Sends a command outside any transaction. A caller's transaction could neither be rolled back
     * nor retried here.
     */
    private @Nullable Object dispatch(
            Class<?> name, Object command, CommandContext context, CommandReceipt receipt) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("a command is sent outside any transaction");
        }
        CommandMessage<Object> message =
                new GenericCommandMessage<>(
                        new GenericMessage<>(command, CommandMetadata.of(context, receipt)),
                        name.getName());
        // A rehearsal is rolled back, and would roll back its group.
        CommandResultMessage<?> result =
                command instanceof LeaseCommand && !receipt.isRehearsal()
                        ? writer.send(message)
                        : SynchronousDispatch.dispatch(bus, message);
        if (!result.isExceptional()) {
            return result.getPayload();
        }
        return switch (result.exceptionResult()) {
            case RollbackWithResultException undone -> undone.result();
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case Throwable failure -> throw new CompletionException(failure);
        };
    }
}
