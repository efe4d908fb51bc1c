package org.leasehold.saga.activation;

import static java.util.stream.Collectors.toCollection;

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
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.reaction.Reactions;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A lease that waits for others to release resources tries again whenever one of them does: it is
 * found by itself, and by each reservation that it waits for.
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

    /**
     * It tries again at once, too: whom it is to wait for may have let go just before, which is
     * behind us and will wake nobody, and may even have been said to wait from memory alone.
     */
    @StartSaga
    @SagaEventHandler(associationProperty = LEASE)
    void on(LeaseDelayed event, EventMessage<?> message, Reactions reactions) {
        lease = event.leaseId().toString();
        awaited.forEach(each -> SagaLifecycle.removeAssociationWith(RESERVATION, each));
        awaited =
                event.awaited().stream().map(Object::toString).collect(toCollection(TreeSet::new));
        awaited.forEach(each -> SagaLifecycle.associateWith(RESERVATION, each));
        tryAgain(message, reactions);
    }

    @SagaEventHandler(associationProperty = RESERVATION)
    void on(ReservationReleased event, EventMessage<?> message, Reactions reactions) {
        tryAgain(message, reactions);
    }

    @SagaEventHandler(associationProperty = RESERVATION)
    void on(ReservationAdjusted event, EventMessage<?> message, Reactions reactions) {
        tryAgain(message, reactions);
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

    private void tryAgain(EventMessage<?> message, Reactions reactions) {
        if (lease != null) {
            Reaction start = Reaction.start(LeaseId.of(lease), message.getTimestamp());
            reactions.carryOut(List.of(start), message);
        }
    }
}
