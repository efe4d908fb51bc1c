package org.leasehold.query.lease;

import static org.leasehold.query.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.query.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.query.ScheduledEventView.Type.START_LEASE;

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
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.ReservationView;
import org.leasehold.query.ScheduledEventView;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The fold of a lease's events to its view. */
final class LeaseFold {

    private LeaseFold() {}

    /**
     * Returns the view after a life, or the beginning of one.
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
            case LeaseRefused _ -> nothingBefore(before, event);
            case LeaseDeleted _ -> {
                present(before, event);
                yield null;
            }
            case ReservationGranted granted -> granted(draft(before, event, at), granted);
            case LeaseImported imported ->
                    ImportedLease.of(present(before, event), imported.past());
            case LeaseRenamed renamed -> draft(before, event, at).name(renamed.name()).view();
            case LeaseRescheduled rescheduled ->
                    draft(before, event, at)
                            .reschedule(rescheduled.period(), rescheduled.beforeEnd())
                            .view();
            case ReservationChanged changed ->
                    draft(before, event, at)
                            .reservation(
                                    changed.reservationId(),
                                    reservation -> reservation.parameters(changed.parameters()))
                            .view();
            case ReservationAdded added ->
                    draft(before, event, at)
                            .add(ReservationDraft.wished(added.reservation(), at))
                            .view();
            case LeaseChangeRefused _ -> draft(before, event, at).viewOfTheSame();
            case LeaseDelayed delayed ->
                    draft(before, event, at)
                            .status(LeaseStatus.DELAYED)
                            .explanation(delayed.reason())
                            .scheduled(START_LEASE, ScheduledEventView.Status.IN_PROGRESS)
                            .view();
            case ResourceReplaced replaced ->
                    draft(before, event, at)
                            .reservation(
                                    replaced.reservationId(),
                                    reservation ->
                                            reservation.replace(
                                                    replaced.replaced(), replaced.replacement()))
                            .view();
            case LeaseStarting starting -> starting(draft(before, event, at), starting).view();
            case ReservationActivated activated ->
                    draft(before, event, at)
                            .reservation(
                                    activated.reservationId(),
                                    reservation -> {
                                        reservation.complete();
                                        reservation.made(activated.cloudIds());
                                    })
                            .view();
            case LeaseActivated _ ->
                    draft(before, event, at)
                            .status(LeaseStatus.ACTIVE)
                            .whole()
                            .scheduled(START_LEASE, ScheduledEventView.Status.DONE)
                            .view();
            case ReservationAdjusting adjusting ->
                    adjusting(draft(before, event, at), adjusting.tenure().reservation()).view();
            case ReservationAdjusted adjusted ->
                    draft(before, event, at)
                            .reservation(
                                    adjusted.reservationId(),
                                    reservation -> {
                                        reservation.complete();
                                        if (adjusted.cloudIds() != null) {
                                            reservation.made(adjusted.cloudIds());
                                        }
                                    })
                            .view();
            case ReservationFailed failed -> failed(draft(before, event, at), failed).view();
            case ResourceFailed(_, var reservation, var resource, var reason) ->
                    draft(before, event, at)
                            .reservation(reservation, its -> its.lose(resource))
                            .lacking(reservation, resource, reason)
                            .view();
            case ResourceRecovered(_, var reservation, var resource) ->
                    draft(before, event, at)
                            .reservation(reservation, its -> its.regain(resource))
                            .whole()
                            .view();
            case LeaseEndAnnounced _ ->
                    draft(before, event, at)
                            .scheduled(BEFORE_END_LEASE, ScheduledEventView.Status.DONE)
                            .view();
            case LeaseEnding ending ->
                    draft(before, event, at)
                            .status(
                                    ending.cause() == EndCause.DELETED
                                            ? LeaseStatus.DELETING
                                            : LeaseStatus.ENDING)
                            .explanation(null)
                            .scheduled(END_LEASE, ScheduledEventView.Status.IN_PROGRESS)
                            .view();
            case ReservationReleased released ->
                    draft(before, event, at)
                            .reservation(released.reservationId(), ReservationDraft::release)
                            .view();
            case LeaseEnded ended -> ended(draft(before, event, at), ended).view();
        };
    }

    private static LeaseView requested(
            @Nullable LeaseView before, LeaseRequested event, Instant at) {
        nothingBefore(before, event);
        List<ReservationView> reservations =
                event.reservations().stream()
                        .map(wish -> ReservationDraft.wished(wish, at))
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

    private static LeaseView granted(LeaseDraft lease, ReservationGranted event) {
        // The first grant completes the request: the lease has not changed yet.
        boolean first = lease.holdsNothing(event.reservationId());
        lease.reservation(
                event.reservationId(), reservation -> reservation.grant(event.allocations()));
        return first ? lease.viewOfTheSame() : lease.whole().view();
    }

    private static LeaseDraft starting(LeaseDraft lease, LeaseStarting event) {
        for (Tenure tenure : event.tenures()) {
            lease.reservation(tenure.reservation(), ReservationDraft::tryAgain);
        }
        return lease.status(LeaseStatus.STARTING)
                .explanation(null)
                .scheduled(START_LEASE, ScheduledEventView.Status.IN_PROGRESS);
    }

    private static LeaseDraft adjusting(LeaseDraft lease, ReservationId reservation) {
        return lease.reservation(reservation, ReservationDraft::running).onItsWayAgain();
    }

    private static LeaseDraft failed(LeaseDraft lease, ReservationFailed event) {
        return switch (event.action()) {
            case PREPARE -> lease;
            case START ->
                    inError(lease, event, "could not be started")
                            .scheduled(START_LEASE, ScheduledEventView.Status.ERROR);
            case ADJUST -> inError(lease, event, "could not be adjusted");
            // The step before the end failed; the lease itself is unaffected.
            case BEFORE_END -> lease.scheduled(BEFORE_END_LEASE, ScheduledEventView.Status.ERROR);
            case END ->
                    inError(lease, event, "could not be ended")
                            .scheduled(END_LEASE, ScheduledEventView.Status.ERROR);
        };
    }

    private static LeaseDraft inError(LeaseDraft lease, ReservationFailed event, String failure) {
        boolean incomplete =
                event.fault().kind() == Fault.Kind.INSUFFICIENT_RESOURCES
                        && event.action() != Action.END;
        return lease.reservation(event.reservationId(), r -> r.fail(incomplete))
                .status(LeaseStatus.ERROR)
                .explanation(
                        "Reservation %s %s: %s"
                                .formatted(
                                        event.reservationId(), failure, event.fault().message()));
    }

    private static LeaseDraft ended(LeaseDraft lease, LeaseEnded event) {
        lease.releaseEverything().scheduled(END_LEASE, ScheduledEventView.Status.DONE);
        return switch (event.cause()) {
            case WINDOW_OVER, REQUESTED -> lease.status(LeaseStatus.ENDED).explanation(null);
            case MISSED ->
                    lease.status(LeaseStatus.ENDED)
                            .scheduled(START_LEASE, ScheduledEventView.Status.ERROR)
                            .explanation("The window was over before the lease could start.");
            case FORCED ->
                    lease.status(LeaseStatus.ENDED)
                            .explanation(
                                    "An operator declared the lease over;"
                                            + " the cloud may not be clean.");
            case DELETED -> lease.status(LeaseStatus.DELETING).explanation(null);
        };
    }

    private static LeaseDraft draft(@Nullable LeaseView before, LeaseEvent event, Instant at) {
        return new LeaseDraft(present(before, event), at);
    }

    private static LeaseView present(@Nullable LeaseView before, LeaseEvent event) {
        if (before == null) {
            throw new IllegalStateException("there is no lease before " + event);
        }
        return before;
    }

    private static @Nullable LeaseView nothingBefore(@Nullable LeaseView before, LeaseEvent event) {
        if (before != null) {
            throw new IllegalStateException("not the first event of its lease: " + event);
        }
        return null;
    }
}
