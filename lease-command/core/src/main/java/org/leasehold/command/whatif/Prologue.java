package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The leases before a window, as recorded. They are not decided again, because some of the
 * competing leases may be unknown.
 */
final class Prologue {

    private final Map<LeaseId, List<RecordedEvent>> lives = new LinkedHashMap<>();
    private Duration cleaning = Duration.ZERO;

    /** Adds the next event of a lease. */
    void take(RecordedEvent recorded, LeaseEvent event) {
        lives.computeIfAbsent(event.leaseId(), _ -> new ArrayList<>()).add(recorded);
        if (event instanceof ReservationGranted granted) {
            cleaning = granted.cleaning();
        }
    }

    int leases() {
        return lives.size();
    }

    /** Passes on all events of each lease, in order, and removes the lease. */
    void tell(BiConsumer<LeaseId, List<RecordedEvent>> listener) {
        Iterator<Map.Entry<LeaseId, List<RecordedEvent>>> next = lives.entrySet().iterator();
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
