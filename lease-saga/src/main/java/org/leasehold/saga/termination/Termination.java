package org.leasehold.saga.termination;

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
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.function.Function;

/** The saga of the plug-ins' tasks before and at the end of leases. */
final class Termination {

    private final Function<LeaseId, List<ReservationId>> active;

    /**
     * Creates the saga.
     *
     * @param active returns the active reservations of a lease
     */
    Termination(Function<LeaseId, List<ReservationId>> active) {
        this.active = active;
    }

    List<Reaction> react(LeaseEvent event) {
        return switch (event) {
            case LeaseEndAnnounced(var lease) ->
                    active.apply(lease).stream()
                            .<Reaction>map(
                                    r -> new Reaction.Submit(new PluginTask.BeforeEnd(lease, r)))
                            .toList();
            case LeaseEnding(var lease, _, var tenures) ->
                    tenures.stream()
                            .<Reaction>map(t -> new Reaction.Submit(new PluginTask.End(lease, t)))
                            .toList();
            // Without a tenure, the cloud has nothing of it.
            case ReservationRemoved(var lease, _, var tenure) ->
                    tenure == null
                            ? List.of()
                            : List.of(new Reaction.Submit(new PluginTask.End(lease, tenure)));
            case ReservationReleased(_, var reservation) ->
                    List.of(new Reaction.Withdraw(reservation));
            case LeaseRequested _,
                    LeaseRefused _,
                    LeaseRetryScheduled _,
                    ReservationGranted _,
                    LeaseImported _,
                    LeaseRenamed _,
                    LeaseRescheduled _,
                    ReservationChanged _,
                    ReservationAdded _,
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
                    LeaseEnded _,
                    LeaseDeleted _ ->
                    List.of();
        };
    }
}
