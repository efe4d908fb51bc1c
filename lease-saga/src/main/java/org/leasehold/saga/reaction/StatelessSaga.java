package org.leasehold.saga.reaction;

import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.EventMessage;
import org.leasehold.lease.LeaseEvent;

import java.util.List;
import java.util.function.Function;

/**
 * A stateless saga: each event has all that it reacts to. All of them share one event processor:
 * one reading of the events, one transaction per batch.
 */
@ProcessingGroup(SagaProcessors.STATELESS)
public final class StatelessSaga {

    private final Function<LeaseEvent, List<Reaction>> react;
    private final ReactionExecutor reactions;

    public StatelessSaga(Function<LeaseEvent, List<Reaction>> react, ReactionExecutor reactions) {
        this.react = react;
        this.reactions = reactions;
    }

    @EventHandler
    void on(LeaseEvent event, EventMessage<?> message) {
        reactions.execute(react.apply(event), message);
    }
}
