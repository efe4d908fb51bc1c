package org.leasehold.saga.reaction;

import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.saga.Cause;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;
import org.leasehold.saga.waiting.Waits;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Changes of timers and waits in one transaction: the last one of each key counts. */
final class Changes {

    private final Map<String, Timer> set = new LinkedHashMap<>();
    private final Set<String> cancelled = new LinkedHashSet<>();
    private final Map<LeaseId, List<ReservationId>> awaited = new LinkedHashMap<>();
    private final Map<ReservationId, Cause> letGo = new LinkedHashMap<>();

    void set(Reaction.SetTimer timer, Cause cause) {
        cancelled.remove(timer.key());
        set.put(timer.key(), new Timer(timer.key(), timer.due(), timer.command(), cause));
    }

    void cancel(String key) {
        set.remove(key);
        cancelled.add(key);
    }

    void await(LeaseId lease, List<ReservationId> reservations) {
        awaited.put(lease, reservations);
    }

    void letGo(ReservationId reservation, Cause cause) {
        letGo.put(reservation, cause);
    }

    void store(Timers timers, Waits waits) {
        if (!awaited.isEmpty()) {
            waits.put(awaited);
        }
        if (!letGo.isEmpty()) {
            for (Waits.Wait wait : waits.of(letGo.keySet())) {
                Cause cause = Objects.requireNonNull(letGo.get(wait.awaited()));
                set(Reaction.start(wait.lease(), cause.at()), cause);
            }
        }
        if (!cancelled.isEmpty()) {
            timers.cancel(List.copyOf(cancelled));
        }
        if (!set.isEmpty()) {
            timers.set(List.copyOf(set.values()));
        }
    }
}
