package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.correlation.CorrelationDataProvider;
import org.axonframework.messaging.interceptors.CorrelationDataInterceptor;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;

/**
 * The door to the write side of the simulation: the product's routing, aggregates and retries, on a
 * journal in memory. Each command is a unit of work of its own; there are no groups.
 */
public final class InMemoryCommands implements Commands {

    private final CommandBus bus;
    private final InMemoryJournal journal;
    private final Retry retry;

    /**
     * Makes a node's door to a journal that all nodes share.
     *
     * @param pause is run instead of a rest before a command is decided again
     */
    public InMemoryCommands(
            InMemoryJournal journal,
            List<AggregateShell<?>> shells,
            RandomGenerator random,
            Runnable pause) {
        this.journal = journal;
        this.retry = new Retry(random, _ -> pause.run());
        SimpleCommandBus commands = SimpleCommandBus.builder().build();
        CorrelationDataProvider stored =
                command -> CommandMetadata.stored(CommandMetadata.context(command));
        commands.registerHandlerInterceptor(new CorrelationDataInterceptor<>(List.of(stored)));
        commands.registerHandlerInterceptor(this::intercept);
        shells.forEach(shell -> CommandRouting.subscribe(shell, commands, journal));
        this.bus = commands;
    }

    private @Nullable Object intercept(
            UnitOfWork<? extends CommandMessage<?>> unit, InterceptorChain chain) throws Exception {
        Receipt receipt = CommandMetadata.receipt(unit.getMessage());
        Idempotency key = CommandMetadata.context(unit.getMessage()).idempotency();
        if (receipt.isRehearsal()) {
            Object answer = chain.proceed();
            receipt.rehearsed(journal.staged().stream().<Object>map(Message::getPayload).toList());
            throw new Undone(answer);
        }
        if (key != null && journal.answer(key).isPresent()) {
            InMemoryJournal.Answered answered = journal.answer(key).orElseThrow();
            throw new Undone(
                    answered.bodyHash().equals(key.bodyHash())
                            ? answered.outcome()
                            : reused(unit.getMessage().getPayload(), key.key()));
        }
        Object answer = chain.proceed();
        if (answer instanceof Outcome.Rejected<?>) {
            throw new Undone(answer);
        }
        unit.onPrepareCommit(
                _ ->
                        unit.onCommit(
                                _ -> {
                                    receipt.stored(journal.head());
                                    if (key != null && answer instanceof Outcome<?> outcome) {
                                        journal.remember(
                                                key, CommandBoundary.at(journal.head(), outcome));
                                    }
                                }));
        return answer;
    }

    private static Outcome<?> reused(Object command, String key) {
        return command instanceof ResourceCommand
                ? new Outcome.Rejected<>(new ResourceRejection.IdempotencyKeyReused(key))
                : new Outcome.Rejected<>(new LeaseRejection.IdempotencyKeyReused(key));
    }

    @Override
    public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        return outcome(
                LeaseCommand.class,
                command,
                context,
                new LeaseRejection.LeaseNotFound(command.leaseId()));
    }

    @Override
    public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
        return outcome(
                ResourceCommand.class,
                command,
                context,
                new ResourceRejection.ResourceNotFound(command.resourceId()));
    }

    @Override
    public void send(PropertyVisibility command, CommandContext context) {
        retry.untilDecided(
                () -> dispatch(PropertyVisibility.class, command, context, Receipt.ofCommand()));
    }

    @Override
    public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
        return retry.untilDecided(
                () -> {
                    Receipt receipt = Receipt.ofRehearsal();
                    Outcome<LeaseRejection> outcome =
                            answer(dispatch(LeaseCommand.class, command, context, receipt));
                    return new Rehearsal(
                            CommandBoundary.at(journal.head(), outcome),
                            receipt.events().stream().map(LeaseEvent.class::cast).toList());
                });
    }

    @Override
    public ResourceId nextResourceId() {
        return journal.nextResource();
    }

    private <R> Outcome<R> outcome(
            Class<?> name, Object command, CommandContext context, R missing) {
        return retry.untilDecided(
                () -> {
                    Receipt receipt = Receipt.ofCommand();
                    Outcome<R> outcome;
                    try {
                        outcome = answer(dispatch(name, command, context, receipt));
                    } catch (AggregateNotFoundException e) {
                        return new Outcome.Rejected<>(missing);
                    }
                    Long position = receipt.position();
                    return position == null ? outcome : CommandBoundary.at(position, outcome);
                });
    }

    @SuppressWarnings("unchecked")
    private static <R> Outcome<R> answer(@Nullable Object answer) {
        return (Outcome<R>) Objects.requireNonNull(answer, "a handler answers with an outcome");
    }

    private @Nullable Object dispatch(
            Class<?> name, Object command, CommandContext context, Receipt receipt) {
        CommandMessage<Object> message =
                new GenericCommandMessage<>(
                        new GenericMessage<>(command, CommandMetadata.of(context, receipt)),
                        name.getName());
        CommandResultMessage<?> result = Dispatch.over(bus, message);
        if (!result.isExceptional()) {
            return result.getPayload();
        }
        return switch (result.exceptionResult()) {
            case Undone undone -> undone.answer();
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case Throwable failure -> throw new CompletionException(failure);
        };
    }
}
