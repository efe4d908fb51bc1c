package org.leasehold.command.execution;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventsourcing.AggregateFactory;

/** Creates the empty aggregate that a stream's events are applied to. */
record EmptyAggregateFactory<T>(AggregateDefinition<T> shell) implements AggregateFactory<T> {

    @Override
    public T createAggregateRoot(String stream, DomainEventMessage<?> firstEvent) {
        return shell.absent().get();
    }

    @Override
    public Class<T> getAggregateType() {
        return shell.type();
    }
}
