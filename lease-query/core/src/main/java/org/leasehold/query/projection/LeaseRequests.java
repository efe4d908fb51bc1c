package org.leasehold.query.projection;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.LeaseRequested;

import java.util.List;
import java.util.Optional;

/** The granted requests of leases, among their events. */
public final class LeaseRequests {

    private LeaseRequests() {}

    /**
     * Returns the granted request of a lease, which may follow refused attempts.
     *
     * @param life the events of one lease, from the first one on
     * @return empty if it was not granted
     */
    public static Optional<LeaseRequested> find(List<RecordedEvent> life) {
        return life.stream()
                .map(RecordedEvent::event)
                .filter(LeaseRequested.class::isInstance)
                .map(LeaseRequested.class::cast)
                .findFirst();
    }
}
