package org.leasehold.saga.activation;

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
import org.leasehold.lease.ReservationWish;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The saga of the plug-ins' tasks before and at the start of leases and for adjustments. It makes
 * delayed leases wait for the resources that they lack.
 */
final class Activation {

    private final Predicate<ReservationWish> preparesStart;

    /**
     * Creates the saga.
     *
     * @param preparesStart whether a plug-in has a task for a reservation before its start
     */
    Activation(Predicate<ReservationWish> preparesStart) {
        this.preparesStart = preparesStart;
    }

    List<Reaction> react(LeaseEvent event) {
        return switch (event) {
            case LeaseRequested requested -> prepare(requested.leaseId(), requested.reservations());
            case ReservationAdded(var lease, var wish) -> prepare(lease, List.of(wish));
            case LeaseStarting(var lease, var tenures, var waiting) ->
                    Stream.concat(
                                    Stream.of(Reaction.endWait(lease)),
                                    start(
                                            lease,
                                            tenures.stream().filter(t -> !contains(waiting, t))))
                            .toList();
            case ReservationActivated(var lease, _, _, var next) -> startNext(lease, next).toList();
            // The awaited reservation may have released its resources just before, and then wakes
            // no lease. The delay may also come from memory alone.
            case LeaseDelayed(var lease, var awaited, _) ->
                    List.of(new Reaction.Await(lease, awaited), new Reaction.TryAgain(lease));
            case LeaseEnding(var lease, _, _) -> List.of(Reaction.endWait(lease));
            case LeaseEnded(var lease, _) -> List.of(Reaction.endWait(lease));
            case ReservationAdjusting(var lease, var tenure, _, var leaving, var moves) ->
                    List.of(
                            new Reaction.Submit(
                                    new PluginTask.Adjust(lease, tenure, leaving, moves)));
            case ReservationAdjusted(var lease, var reservation, _, _, var next) ->
                    Stream.concat(Stream.of(new Reaction.Wake(reservation)), startNext(lease, next))
                            .toList();
            case ReservationReleased(_, var reservation) -> List.of(new Reaction.Wake(reservation));
            case LeaseRefused _,
                    LeaseRetryScheduled _,
                    ReservationGranted _,
                    ReservationRemoved _,
                    LeaseImported _,
                    LeaseRenamed _,
                    LeaseRescheduled _,
                    ReservationChanged _,
                    LeaseChangeRefused _,
                    ResourceReplaced _,
                    LeaseActivated _,
                    ReservationFailed _,
                    ResourceFailed _,
                    ResourceRecovered _,
                    LeaseEndAnnounced _,
                    LeaseDeleted _ ->
                    List.of();
        };
    }

    private static boolean contains(@Nullable List<ReservationId> waiting, Tenure tenure) {
        return waiting != null && waiting.contains(tenure.reservation());
    }

    private static Stream<Reaction> startNext(LeaseId lease, @Nullable List<Tenure> next) {
        return next == null ? Stream.empty() : start(lease, next.stream());
    }

    private static Stream<Reaction> start(LeaseId lease, Stream<Tenure> tenures) {
        return tenures.map(t -> new Reaction.Submit(new PluginTask.Start(lease, t)));
    }

    private List<Reaction> prepare(LeaseId lease, List<ReservationWish> wishes) {
        return wishes.stream()
                .filter(preparesStart)
                .<Reaction>map(
                        wish -> new Reaction.Submit(new PluginTask.Prepare(lease, wish.id())))
                .toList();
    }
}
