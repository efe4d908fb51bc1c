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
 * The leases before a window, as they were recorded: nothing of that is decided once more, because
 * not all that was in their way need be known.
 */
final class Prologue {

    private final Map<LeaseId, List<RecordedEvent>> lives = new LinkedHashMap<>();
    private Duration cleaning = Duration.ZERO;

    /** Takes what happened to a lease next. */
    void take(RecordedEvent recorded, LeaseEvent event) {
        lives.computeIfAbsent(event.leaseId(), _ -> new ArrayList<>()).add(recorded);
        if (event instanceof ReservationGranted granted) {
            cleaning = granted.cleaning();
        }
    }

    int leases() {
        return lives.size();
    }

    /** Tells all that is known of each lease, in the order in which it happened, and forgets it. */
    void tell(BiConsumer<LeaseId, List<RecordedEvent>> listener) {
        Iterator<Map.Entry<LeaseId, List<RecordedEvent>>> next = lives.entrySet().iterator();
        while (next.hasNext()) {
            Map.Entry<LeaseId, List<RecordedEvent>> life = next.next();
            listener.accept(life.getKey(), life.getValue());
            // There may be a hundred thousand of them.
            next.remove();
        }
    }

    /** How long resources are kept after a lease by now. */
    Duration cleaning() {
        return cleaning;
    }
}
