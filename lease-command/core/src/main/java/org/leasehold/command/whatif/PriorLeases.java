package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The leases before the window of a replay, as recorded. They are not decided again, because some
 * of the competing leases may be unknown.
 */
final class PriorLeases {

    private final Map<LeaseId, List<RecordedEvent>> eventsByLease = new LinkedHashMap<>();
    private Duration cleaning = Duration.ZERO;

    /** Adds the next event of a lease. */
    void addEvent(RecordedEvent recorded, LeaseEvent event) {
        eventsByLease.computeIfAbsent(event.leaseId(), _ -> new ArrayList<>()).add(recorded);
        if (event instanceof ReservationGranted granted) {
            cleaning = granted.cleaning();
        }
    }

    int leaseCount() {
        return eventsByLease.size();
    }

    /** Passes on all events of each lease, in order, and removes the lease. */
    void drainTo(BiConsumer<LeaseId, List<RecordedEvent>> listener) {
        Iterator<Map.Entry<LeaseId, List<RecordedEvent>>> next =
                eventsByLease.entrySet().iterator();
        while (next.hasNext()) {
            Map.Entry<LeaseId, List<RecordedEvent>> life = next.next();
            listener.accept(life.getKey(), life.getValue());
            // There may be a hundred thousand of them.
            next.remove();
        }
    }

    /** Returns the present cleaning time. */
    Duration cleaning() {
        return cleaning;
    }
}
