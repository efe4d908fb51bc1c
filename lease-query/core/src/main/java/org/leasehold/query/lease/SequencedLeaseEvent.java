package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.readmodel.lease.LeaseView;

import java.time.Instant;

/**
 * An event of a lease, with its number in the lease's stream.
 *
 * @param sequence from 0
 * @param when the time of the decision
 */
record SequencedLeaseEvent(LeaseEvent event, long sequence, Instant when) {

    /**
     * Returns whether the event is not in the view yet.
     *
     * @throws IllegalStateException if events before it are not in the view either
     */
    boolean follows(@Nullable LeaseView view) {
        long version = view == null ? 0 : view.version();
        if (sequence > version) {
            throw new IllegalStateException(
                    "the view of lease %s has %s events, but event %s is next: rebuild it"
                            .formatted(event.leaseId(), version, sequence));
        }
        return sequence == version;
    }

    @Nullable LeaseView after(@Nullable LeaseView view) {
        return LeaseFold.apply(view, event, when);
    }
}
