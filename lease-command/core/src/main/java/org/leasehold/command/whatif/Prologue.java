package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** All that is known of each lease, in the order in which it happened. */
    Map<LeaseId, List<RecordedEvent>> lives() {
        return lives;
    }

    /** How long resources are kept after a lease by now. */
    Duration cleaning() {
        return cleaning;
    }
}
