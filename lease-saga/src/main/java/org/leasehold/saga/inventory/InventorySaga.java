package org.leasehold.saga.inventory;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.saga.inventory.InventoryReactions.State;
import org.leasehold.saga.inventory.InventoryReactions.Step;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.reaction.SagaProcessors;

/**
 * The Axon saga of a resource until its retirement. It stores the state, routes the events and
 * decides nothing; {@link InventoryReactions} decides.
 */
@ProcessingGroup(SagaProcessors.INVENTORY)
public final class InventorySaga {

    /**
     * The reason why a lease lacks a resource that works, but of which it lost its own part. It is
     * in events, and never changes.
     */
    public static final String PART_REMOVED = "In the cloud a part of the reservation was removed";

    private static final String RESOURCE = "resourceId";

    private State state;

    /** Public, as the class is, because Axon creates sagas by reflection without access rights. */
    public InventorySaga() {
        this(State.INITIAL);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    InventorySaga(State state) {
        this.state = state;
    }

    @JsonValue
    State state() {
        return state;
    }

    @StartSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnrolled event, EventMessage<?> message, ReactionExecutor reactions) {
        react(event, message, reactions);
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceDisabled event, EventMessage<?> message, ReactionExecutor reactions) {
        react(event, message, reactions);
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnabled event, EventMessage<?> message, ReactionExecutor reactions) {
        react(event, message, reactions);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRetired event, EventMessage<?> message, ReactionExecutor reactions) {
        react(event, message, reactions);
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceFailed event, EventMessage<?> message, ReactionExecutor reactions) {
        apply(InventoryReactions.react(state, event), message, reactions);
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRecovered event, EventMessage<?> message, ReactionExecutor reactions) {
        apply(InventoryReactions.react(state, event), message, reactions);
    }

    private void react(ResourceEvent event, EventMessage<?> message, ReactionExecutor reactions) {
        apply(InventoryReactions.react(state, event), message, reactions);
    }

    private void apply(Step step, EventMessage<?> message, ReactionExecutor reactions) {
        state = step.state();
        reactions.execute(step.reactions(), message);
    }
}
