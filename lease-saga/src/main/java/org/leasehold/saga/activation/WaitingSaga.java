package org.leasehold.saga.activation;

import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.SagaLifecycle;
import org.axonframework.modelling.saga.StartSaga;
import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseId;
import org.leasehold.saga.reaction.Processors;
import org.leasehold.saga.reaction.Reactions;

import java.util.Set;
import java.util.TreeSet;

/**
 * The shell of {@link Waiting}: is found by the lease, and by each reservation that it waits for.
 */
@ProcessingGroup(Processors.WAITING)
public final class WaitingSaga {

    private static final String LEASE = "leaseId";
    private static final String RESERVATION = "reservationId";

    private @Nullable String lease;
    private Set<String> awaited = new TreeSet<>();

    /**
     * Public, as the class is, because Axon makes sagas by reflection without asking for access.
     */
    public WaitingSaga() {}

    @StartSaga
    @SagaEventHandler(associationProperty = LEASE)
    void on(LeaseDelayed event, EventMessage<?> message, Reactions reactions) {
        lease = event.leaseId().toString();
        Waiting before = new Waiting(awaited);
        before.inOrder().forEach(r -> SagaLifecycle.removeAssociationWith(RESERVATION, r));
        Waiting now = before.after(event);
        now.inOrder().forEach(r -> SagaLifecycle.associateWith(RESERVATION, r));
        awaited = now.inOrder();
        reactions.carryOut(before.react(event, message.getTimestamp()), message);
    }

    @SagaEventHandler(associationProperty = RESERVATION)
    void on(ReservationReleased event, EventMessage<?> message, Reactions reactions) {
        wake(message, reactions);
    }

    @SagaEventHandler(associationProperty = RESERVATION)
    void on(ReservationAdjusted event, EventMessage<?> message, Reactions reactions) {
        wake(message, reactions);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = LEASE)
    void on(LeaseStarting event) {}

    @EndSaga
    @SagaEventHandler(associationProperty = LEASE)
    void on(LeaseEnding event) {}

    @EndSaga
    @SagaEventHandler(associationProperty = LEASE)
    void on(LeaseEnded event) {}

    private void wake(EventMessage<?> message, Reactions reactions) {
        if (lease != null) {
            reactions.carryOut(Waiting.wake(LeaseId.of(lease), message.getTimestamp()), message);
        }
    }
}
