package org.leasehold.saga.activation;

import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;

import java.util.List;

/** Has plugins give projects what their leases took up. */
final class Activation {

    private Activation() {}

    static List<Reaction> react(LeaseEvent event) {
        return switch (event) {
            case LeaseStarting(var lease, var tenures) ->
                    tenures.stream()
                            .<Reaction>map(t -> new Reaction.Submit(new PluginTask.Start(lease, t)))
                            .toList();
            case ReservationAdjusting(var lease, var tenure, _, var leaving) ->
                    List.of(new Reaction.Submit(new PluginTask.Adjust(lease, tenure, leaving)));
            case LeaseRequested _,
                    LeaseRefused _,
                    ReservationGranted _,
                    LeaseRenamed _,
                    LeaseRescheduled _,
                    ReservationChanged _,
                    LeaseChangeRefused _,
                    LeaseDelayed _,
                    ResourceReplaced _,
                    ReservationActivated _,
                    LeaseActivated _,
                    ReservationAdjusted _,
                    ReservationFailed _,
                    LeaseEndAnnounced _,
                    LeaseEnding _,
                    ReservationReleased _,
                    LeaseEnded _,
                    LeaseDeleted _ ->
                    List.of();
        };
    }
}
