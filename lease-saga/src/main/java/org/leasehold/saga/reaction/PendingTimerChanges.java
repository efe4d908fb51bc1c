package org.leasehold.saga.reaction;

import org.leasehold.saga.Cause;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;
import org.leasehold.saga.waiting.WaitingLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Changes of timers and waits in one transaction: the last one of each key counts. */
final class PendingTimerChanges {

    private final Map<String, Timer> timersByKey = new LinkedHashMap<>();
    private final Set<String> cancelled = new LinkedHashSet<>();
    private final Map<LeaseId, List<ReservationId>> awaitedByLease = new LinkedHashMap<>();
    private final Map<ReservationId, Cause> releaseCauses = new LinkedHashMap<>();

    void setTimer(Reaction.SetTimer timer, Cause cause) {
        cancelled.remove(timer.key());
        timersByKey.put(timer.key(), new Timer(timer.key(), timer.due(), timer.command(), cause));
    }

    void cancelTimer(String key) {
        timersByKey.remove(key);
        cancelled.add(key);
    }

    void setWait(LeaseId lease, List<ReservationId> reservations) {
        awaitedByLease.put(lease, reservations);
    }

    void wakeWaiting(ReservationId reservation, Cause cause) {
        releaseCauses.put(reservation, cause);
    }

    void store(Timers timers, WaitingLeases waits) {
        if (!awaitedByLease.isEmpty()) {
            waits.replaceWaits(awaitedByLease);
        }
        if (!releaseCauses.isEmpty()) {
            for (WaitingLeases.Wait wait : waits.findWaits(releaseCauses.keySet())) {
                Cause cause = Objects.requireNonNull(releaseCauses.get(wait.awaited()));
                setTimer(Reaction.setStartTimer(wait.lease(), cause.at()), cause);
            }
        }
        if (!cancelled.isEmpty()) {
            timers.cancel(List.copyOf(cancelled));
        }
        if (!timersByKey.isEmpty()) {
            timers.set(List.copyOf(timersByKey.values()));
        }
    }
}
