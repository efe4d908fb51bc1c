package org.leasehold.query.lease;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.leasehold.lease.LeaseEvent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The subscriber that writes the leases in the transaction of the command whose events the bus
 * delivers. It is not an Axon event processor, because those swallow exceptions by default. Here a
 * table that cannot follow the events must fail the command.
 */
final class LeaseEventSubscriber implements Consumer<List<? extends EventMessage<?>>> {

    private final LeaseProjection projection;
    private final ReadYourWritesCache justWritten;

    LeaseEventSubscriber(LeaseTable table, ReadYourWritesCache justWritten) {
        this.projection = new LeaseProjection(table);
        this.justWritten = justWritten;
    }

    @Override
    public void accept(List<? extends EventMessage<?>> events) {
        List<SequencedLeaseEvent> changes = new ArrayList<>();
        for (EventMessage<?> event : events) {
            if (event instanceof DomainEventMessage<?> domainEvent
                    && domainEvent.getPayload() instanceof LeaseEvent leaseEvent) {
                changes.add(
                        new SequencedLeaseEvent(
                                leaseEvent,
                                domainEvent.getSequenceNumber(),
                                domainEvent.getTimestamp()));
            }
        }
        justWritten.storeAfterCommit(projection.project(changes));
    }
}
