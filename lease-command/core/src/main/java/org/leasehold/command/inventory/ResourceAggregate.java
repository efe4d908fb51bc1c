package org.leasehold.command.inventory;

import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceRejection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;

/** Routes commands for a resource to the decider. */
@AggregateRoot(type = "Resource")
final class ResourceAggregate {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceAggregate.class);

    // Axon reads the field by reflection.
    @SuppressWarnings("UnusedVariable")
    @AggregateIdentifier
    private @Nullable String id;

    private Resource resource = new Resource.Absent();

    // The lock on the resource's row comes before the read of the claims and the append of the
    // events. A grant uses the same order, so that neither overlooks the other.
    @CommandHandler(commandName = "org.leasehold.inventory.ResourceCommand")
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Outcome<ResourceRejection> handle(
            ResourceCommand command,
            @MetaDataValue(value = "now", required = true) Instant now,
            Inventory inventory) {
        ResourceConstraints standing = inventory.readConstraints(command, now);
        return switch (ResourceDecider.decide(command, resource, standing)) {
            case ResourceDecision.Accepted accepted -> {
                for (ResourceEvent event : accepted.events()) {
                    inventory.record(event, now);
                    AggregateLifecycle.apply(event);
                    CurrentUnitOfWork.get().afterCommit(_ -> warn(event));
                }
                yield new Outcome.Accepted<>(0);
            }
            case ResourceDecision.Rejected rejected -> new Outcome.Rejected<>(rejected.rejection());
        };
    }

    /** Warns about affected leases. They keep their grant; its present size is unknown here. */
    private static void warn(ResourceEvent event) {
        if (event instanceof ResourceDescribed described && !described.affected().isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("resource_id", described.resourceId())
                    .addKeyValue("leases", described.affected())
                    .log("Leases count on what the cloud says otherwise of a resource");
        }
    }

    @EventSourcingHandler
    void on(ResourceEvent event) {
        id = event.resourceId().toString();
        resource = resource.evolve(event);
    }
}
