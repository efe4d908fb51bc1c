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
@ProcessingGroup(Processors.PROCESSES)
public final class LeaseProcess {

    private final Function<LeaseEvent, List<Reaction>> react;
    private final Reactions reactions;

    public LeaseProcess(Function<LeaseEvent, List<Reaction>> react, Reactions reactions) {
        this.react = react;
        this.reactions = reactions;
    }

    @EventHandler
    void on(LeaseEvent event, EventMessage<?> message) {
        reactions.carryOut(react.apply(event), message);
    }
}
