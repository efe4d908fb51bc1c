package org.leasehold.command.journal;

import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.messaging.MessageDispatchInterceptor;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/** The event store; every event in it bears the time at which its command was decided. */
final class Journal extends EmbeddedEventStore {

    Journal(PostgresEventStorageEngine engine) {
        super(builder().storageEngine(engine).fetchDelay(100));
        registerDispatchInterceptor(new DecisionTime());
    }

    /** What the current unit of work would append. */
    List<EventMessage<?>> staged() {
        return queuedMessages();
    }

    /** Axon asks its own clock when an event is made; a replayed or late command has another time. */
    private static final class DecisionTime
            implements MessageDispatchInterceptor<EventMessage<?>> {

        @Override
        public BiFunction<Integer, EventMessage<?>, EventMessage<?>> handle(
                List<? extends EventMessage<?>> events) {
            UnitOfWork<?> unit = CurrentUnitOfWork.get().root();
            Instant now = CommandMetadata.now(unit.getMessage());
            return (place, event) ->
                    event instanceof DomainEventMessage<?> message ? at(now, message) : event;
        }

        private static <T> DomainEventMessage<T> at(Instant now, DomainEventMessage<T> event) {
            return new GenericDomainEventMessage<>(
                    event.getType(),
                    event.getAggregateIdentifier(),
                    event.getSequenceNumber(),
                    event,
                    now);
        }
    }
}
