package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.common.lock.NullLockFactory;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventsourcing.EventSourcingRepository;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.annotation.MultiParameterResolverFactory;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.messaging.annotation.SimpleResourceParameterResolverFactory;
import org.axonframework.messaging.correlation.CorrelationDataProvider;
import org.axonframework.messaging.interceptors.CorrelationDataInterceptor;
import org.axonframework.modelling.command.AggregateAnnotationCommandHandler;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;
import org.leasehold.command.request.CommandMetadata;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.UseObserved;

import java.util.List;

/** Routes commands to the aggregates. */
final class CommandRouting {

    private CommandRouting() {}

    /** Creates a bus on which each command is a transaction, unless it is part of another one. */
    static CommandBus bus(
            TransactionManager transactions,
            CommandInterceptor boundary,
            EventStore store,
            Iterable<AggregateDefinition<?>> shells) {
        SimpleCommandBus bus = SimpleCommandBus.builder().transactionManager(transactions).build();
        CorrelationDataProvider stored =
                command -> CommandMetadata.stored(CommandMetadata.context(command));
        bus.registerHandlerInterceptor(new CorrelationDataInterceptor<>(List.of(stored)));
        bus.registerHandlerInterceptor(boundary);
        shells.forEach(shell -> subscribe(shell, bus, store));
        return bus;
    }

    /**
     * Subscribes an aggregate. Every command reads its stream. A cached aggregate would need
     * another read whenever it decides without an append. No lock is needed: the loser of a race
     * fails at (stream, sequence), whichever process it runs in.
     */
    private static <T> void subscribe(
            AggregateDefinition<T> shell, CommandBus bus, EventStore store) {
        ParameterResolverFactory parameters =
                MultiParameterResolverFactory.ordered(
                        ClasspathParameterResolverFactory.forClass(shell.type()),
                        new SimpleResourceParameterResolverFactory(shell.collaborators()));
        EventSourcingRepository<T> repository =
                EventSourcingRepository.builder(shell.type())
                        .eventStore(store)
                        .lockFactory(NullLockFactory.INSTANCE)
                        .parameterResolverFactory(parameters)
                        .aggregateFactory(new EmptyAggregateFactory<>(shell))
                        .build();
        AggregateAnnotationCommandHandler.<T>builder()
                .aggregateType(shell.type())
                .repository(repository)
                .parameterResolverFactory(parameters)
                .creationPolicyAggregateFactory(ignored -> shell.absent().get())
                .commandTargetResolver(
                        command ->
                                new VersionedAggregateIdentifier((Object) streamId(command), null))
                .build()
                .subscribe(bus);
    }

    static String streamId(CommandMessage<?> command) {
        return switch (command.getPayload()) {
            case LeaseCommand lease -> lease.leaseId().toString();
            case ResourceCommand resource -> resource.resourceId().toString();
            case PropertyVisibility(var kind, var property, boolean ignored) ->
                    kind + "/" + property;
            case UseObserved use -> use.stream();
            case Object unknown ->
                    throw new IllegalArgumentException(
                            unknown.getClass().getName() + " has no target");
        };
    }
}
