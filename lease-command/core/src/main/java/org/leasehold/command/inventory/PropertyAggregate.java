package org.leasehold.command.inventory;

import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyVisibility;

import java.time.Instant;

/** The visibility of a property. Its stream is named {@code <kind>/<property>}. */
@AggregateRoot(type = "Property")
final class PropertyAggregate {

    // Axon reads the field by reflection.
    @SuppressWarnings("UnusedVariable")
    @AggregateIdentifier
    private @Nullable String id;

    @CommandHandler(commandName = "org.leasehold.inventory.PropertyVisibility")
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    void handle(
            PropertyVisibility visibility,
            @MetaDataValue(value = "now", required = true) Instant now,
            Inventory inventory) {
        inventory.record(visibility, now);
        AggregateLifecycle.apply(visibility);
    }

    @EventSourcingHandler
    void on(PropertyVisibility visibility) {
        id = visibility.kind() + "/" + visibility.property();
    }
}
