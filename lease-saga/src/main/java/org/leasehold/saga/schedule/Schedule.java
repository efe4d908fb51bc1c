package org.leasehold.saga.schedule;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.List;

/**
 * The saga of the timers of a lease: its retry, its start, the announcement of its end, and its
 * end.
 */
final class Schedule {

    private Schedule() {}

    static List<Reaction> react(LeaseEvent event) {
        return switch (event) {
            case LeaseRequested(var lease, _, _, _, var period, var beforeEnd, _, _) ->
                    timers(lease, period, beforeEnd);
            // The saga does not know whether the lease has started. The start of a running lease
            // does nothing, and removes the timer.
            case LeaseRescheduled(var lease, var period, var beforeEnd) ->
                    timers(lease, period, beforeEnd);
            case LeaseRetryScheduled retried ->
                    List.of(
                            Reaction.setRetryTimer(
                                    retried.leaseId(), retried.plan().nextAttempt()));
            case LeaseDeleted(var lease) -> List.of(Reaction.cancelRetry(lease));
            case LeaseEnding(var lease, _, _) -> List.of(Reaction.cancelAllTimers(lease));
            case LeaseEnded(var lease, _) -> List.of(Reaction.cancelAllTimers(lease));
            // Their lease runs already, or its end was announced.
            case LeaseImported(var lease, var past, _) ->
                    past.stage() == LeasePast.Stage.ENDED
                            ? List.of(Reaction.cancelAllTimers(lease))
                            : List.of();
            case LeaseRefused _,
                    ReservationGranted _,
                    LeaseRenamed _,
                    ReservationChanged _,
                    ReservationAdded _,
                    ReservationRemoved _,
                    LeaseChangeRefused _,
                    LeaseDelayed _,
                    ResourceReplaced _,
                    LeaseStarting _,
                    ReservationActivated _,
                    LeaseActivated _,
                    ReservationAdjusting _,
                    ReservationAdjusted _,
                    ReservationFailed _,
                    ResourceFailed _,
                    ResourceRecovered _,
                    LeaseEndAnnounced _,
                    ReservationReleased _ ->
                    List.of();
        };
    }

    private static List<Reaction> timers(
            LeaseId lease, LeasePeriod period, @Nullable Instant beforeEnd) {
        return List.of(
                Reaction.setStartTimer(lease, period.start()),
                beforeEnd == null
                        ? Reaction.cancelAnnouncement(lease)
                        : Reaction.setAnnouncementTimer(lease, beforeEnd),
                Reaction.setEndTimer(lease, period.end()));
    }
}
