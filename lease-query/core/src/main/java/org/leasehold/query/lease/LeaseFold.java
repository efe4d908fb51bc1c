package org.leasehold.query.lease;

import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
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
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The fold of a lease's events to its view. */
final class LeaseFold {

    private LeaseFold() {}

    /**
     * Returns the view after all events of a lease, or after its first ones.
     *
     * @return null when there is no lease to see: it was refused or deleted, or nothing happened
     */
    static @Nullable LeaseView of(List<RecordedEvent> life) {
        LeaseView view = null;
        for (RecordedEvent event : life) {
            view = apply(view, (LeaseEvent) event.event(), event.decidedAt());
        }
        return view;
    }

    /**
     * Returns the view after one more event.
     *
     * @param before null before the first event
     * @param when the time of the decision
     * @return null when there is no lease to see: it was refused or deleted
     * @throws IllegalStateException if the event cannot follow the events before
     */
    static @Nullable LeaseView apply(@Nullable LeaseView before, LeaseEvent event, Instant when) {
        // A clock may be finer than the database: a rebuilt view must equal the one that it
        // replaces.
        Instant at = when.truncatedTo(ChronoUnit.MICROS);
        return switch (event) {
            case LeaseRequested requested -> requested(before, requested, at);
            case LeaseRefused _ -> requireAbsent(before, event);
            case LeaseDeleted _ -> {
                requirePresent(before, event);
                yield null;
            }
            case ReservationGranted granted -> granted(draft(before, event, at), granted);
            case LeaseImported imported ->
                    ImportedLease.of(requirePresent(before, event), imported.past());
            case LeaseRenamed renamed -> draft(before, event, at).name(renamed.name()).view();
            case LeaseRescheduled rescheduled ->
                    draft(before, event, at)
                            .reschedule(rescheduled.period(), rescheduled.beforeEnd())
                            .view();
            case ReservationChanged changed ->
                    draft(before, event, at)
                            .updateReservation(
                                    changed.reservationId(),
                                    reservation -> reservation.parameters(changed.parameters()))
                            .view();
            case ReservationAdded added ->
                    draft(before, event, at)
                            .add(ReservationViewBuilder.ofRequest(added.reservation(), at))
                            .view();
            case LeaseChangeRefused _ -> draft(before, event, at).viewOfUnchanged();
            case LeaseDelayed delayed ->
                    draft(before, event, at)
                            .status(LeaseStatus.DELAYED)
                            .explanation(delayed.reason())
                            .setEventStatus(START_LEASE, ScheduledEventView.Status.IN_PROGRESS)
                            .view();
            case ResourceReplaced replaced ->
                    draft(before, event, at)
                            .updateReservation(
                                    replaced.reservationId(),
                                    reservation ->
                                            reservation.replace(
                                                    replaced.replaced(), replaced.replacement()))
                            .view();
            case LeaseStarting starting -> starting(draft(before, event, at), starting).view();
            case ReservationActivated activated ->
                    draft(before, event, at)
                            .updateReservation(
                                    activated.reservationId(),
                                    reservation -> {
                                        reservation.complete();
                                        reservation.setCloudIds(activated.cloudIds());
                                    })
                            .view();
            case LeaseActivated _ ->
                    draft(before, event, at)
                            .status(LeaseStatus.ACTIVE)
                            .clearExplanationIfComplete()
                            .setEventStatus(START_LEASE, ScheduledEventView.Status.DONE)
                            .view();
            case ReservationAdjusting adjusting ->
                    adjusting(draft(before, event, at), adjusting.tenure().reservation()).view();
            case ReservationAdjusted adjusted ->
                    draft(before, event, at)
                            .updateReservation(
                                    adjusted.reservationId(),
                                    reservation -> {
                                        reservation.complete();
                                        if (adjusted.cloudIds() != null) {
                                            reservation.setCloudIds(adjusted.cloudIds());
                                        }
                                    })
                            .view();
            case ReservationFailed failed -> failed(draft(before, event, at), failed).view();
            case ResourceFailed(_, var reservation, var resource, var reason) ->
                    draft(before, event, at)
                            .updateReservation(reservation, its -> its.markDown(resource))
                            .explainMissingResource(reservation, resource, reason)
                            .view();
            case ResourceRecovered(_, var reservation, var resource) ->
                    draft(before, event, at)
                            .updateReservation(reservation, its -> its.markUp(resource))
                            .clearExplanationIfComplete()
                            .view();
            case LeaseEndAnnounced _ ->
                    draft(before, event, at)
                            .setEventStatus(BEFORE_END_LEASE, ScheduledEventView.Status.DONE)
                            .view();
            case LeaseEnding ending ->
                    draft(before, event, at)
                            .status(
                                    ending.cause() == EndCause.DELETED
                                            ? LeaseStatus.DELETING
                                            : LeaseStatus.ENDING)
                            .explanation(null)
                            .setEventStatus(END_LEASE, ScheduledEventView.Status.IN_PROGRESS)
                            .view();
            case ReservationReleased released ->
                    draft(before, event, at)
                            .updateReservation(
                                    released.reservationId(), ReservationViewBuilder::release)
                            .view();
            case LeaseEnded ended -> ended(draft(before, event, at), ended).view();
        };
    }

    private static LeaseView requested(
            @Nullable LeaseView before, LeaseRequested event, Instant at) {
        requireAbsent(before, event);
        List<ReservationView> reservations =
                event.reservations().stream()
                        .map(wish -> ReservationViewBuilder.ofRequest(wish, at))
                        .toList();
        return new LeaseView(
                event.leaseId(),
                event.projectId(),
                event.userId(),
                event.name(),
                LeaseStatus.PENDING,
                event.period(),
                event.beforeEnd(),
                null,
                reservations,
                ScheduledEvents.of(event.leaseId(), event.period(), event.beforeEnd(), at),
                at,
                null,
                1);
    }

    private static LeaseView granted(LeaseViewBuilder lease, ReservationGranted event) {
        // The first grant completes the request: the lease has not changed yet.
        boolean first = lease.isAwaitingFirstGrant(event.reservationId());
        lease.updateReservation(
                event.reservationId(), reservation -> reservation.grant(event.allocations()));
        return first ? lease.viewOfUnchanged() : lease.clearExplanationIfComplete().view();
    }

    private static LeaseViewBuilder starting(LeaseViewBuilder lease, LeaseStarting event) {
        for (Tenure tenure : event.tenures()) {
            lease.updateReservation(tenure.reservation(), ReservationViewBuilder::retry);
        }
        return lease.status(LeaseStatus.STARTING)
                .explanation(null)
                .setEventStatus(START_LEASE, ScheduledEventView.Status.IN_PROGRESS);
    }

    private static LeaseViewBuilder adjusting(LeaseViewBuilder lease, ReservationId reservation) {
        return lease.updateReservation(reservation, ReservationViewBuilder::activate)
                .endErrorIfRecovered();
    }

    private static LeaseViewBuilder failed(LeaseViewBuilder lease, ReservationFailed event) {
        return switch (event.action()) {
            case PREPARE -> lease;
            case START ->
                    inError(lease, event, "could not be started")
                            .setEventStatus(START_LEASE, ScheduledEventView.Status.ERROR);
            case ADJUST -> inError(lease, event, "could not be adjusted");
            // The step before the end failed; the lease itself is unaffected.
            case BEFORE_END ->
                    lease.setEventStatus(BEFORE_END_LEASE, ScheduledEventView.Status.ERROR);
            case END ->
                    inError(lease, event, "could not be ended")
                            .setEventStatus(END_LEASE, ScheduledEventView.Status.ERROR);
        };
    }

    private static LeaseViewBuilder inError(
            LeaseViewBuilder lease, ReservationFailed event, String failure) {
        boolean incomplete =
                event.fault().kind() == Fault.Kind.INSUFFICIENT_RESOURCES
                        && event.action() != Action.END;
        return lease.updateReservation(event.reservationId(), r -> r.fail(incomplete))
                .status(LeaseStatus.ERROR)
                .explanation(
                        "Reservation %s %s: %s"
                                .formatted(
                                        event.reservationId(), failure, event.fault().message()));
    }

    private static LeaseViewBuilder ended(LeaseViewBuilder lease, LeaseEnded event) {
        lease.releaseAll().setEventStatus(END_LEASE, ScheduledEventView.Status.DONE);
        return switch (event.cause()) {
            case WINDOW_OVER, REQUESTED -> lease.status(LeaseStatus.ENDED).explanation(null);
            case MISSED ->
                    lease.status(LeaseStatus.ENDED)
                            .setEventStatus(START_LEASE, ScheduledEventView.Status.ERROR)
                            .explanation("The window was over before the lease could start.");
            case FORCED ->
                    lease.status(LeaseStatus.ENDED)
                            .explanation(
                                    "An operator declared the lease over;"
                                            + " the cloud may not be clean.");
            case DELETED -> lease.status(LeaseStatus.DELETING).explanation(null);
        };
    }

    private static LeaseViewBuilder draft(
            @Nullable LeaseView before, LeaseEvent event, Instant at) {
        return new LeaseViewBuilder(requirePresent(before, event), at);
    }

    private static LeaseView requirePresent(@Nullable LeaseView before, LeaseEvent event) {
        if (before == null) {
            throw new IllegalStateException("there is no lease before " + event);
        }
        return before;
    }

    private static @Nullable LeaseView requireAbsent(@Nullable LeaseView before, LeaseEvent event) {
        if (before != null) {
            throw new IllegalStateException("not the first event of its lease: " + event);
        }
        return null;
    }
}
