package org.leasehold.saga.inventory;

import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.reaction.Processors;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.reaction.Reactions;
import org.leasehold.saga.task.PluginTask;

import java.util.List;

/** Remembers what a resource is called until it is retired: that event only has its number. */
@ProcessingGroup(Processors.INVENTORY)
public final class InventorySaga {

    private static final String RESOURCE = "resourceId";

    private @Nullable String kind;
    private @Nullable String name;

    /**
     * Public, as the class is, because Axon makes sagas by reflection without asking for access.
     */
    public InventorySaga() {}

    @StartSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnrolled event, EventMessage<?> message, Reactions reactions) {
        kind = event.kind().value();
        name = event.name();
        submit(
                new PluginTask.Enrol(event.resourceId(), event.kind(), event.name()),
                message,
                reactions);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRetired event, EventMessage<?> message, Reactions reactions) {
        if (kind != null && name != null) {
            submit(
                    new PluginTask.Retire(event.resourceId(), new ResourceKind(kind), name),
                    message,
                    reactions);
        }
    }

    private static void submit(PluginTask task, EventMessage<?> message, Reactions reactions) {
        reactions.carryOut(List.of(new Reaction.Submit(task)), message);
    }
}
