package org.leasehold.command.use;

import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;
import org.leasehold.lease.UseObserved;

/**
 * The observations of a resource in one reservation. It has its own stream, because every decision
 * and query about a lease reads all events of the lease's stream.
 */
@AggregateRoot(type = "Use")
final class UseAggregate {

    // Axon reads the field by reflection.
    @SuppressWarnings("UnusedVariable")
    @AggregateIdentifier
    private @Nullable String id;

    private @Nullable UseObserved last;

    @CommandHandler(commandName = "org.leasehold.lease.UseObserved")
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    void handle(UseObserved observed) {
        if (!observed.equals(last)) {
            AggregateLifecycle.apply(observed);
        }
    }

    @EventSourcingHandler
    void on(UseObserved observed) {
        id = observed.stream();
        last = observed;
    }
}
