package org.leasehold.query.lease;

import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.EndCause;
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
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;
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
            case LeaseRequested requested ->
                    RetryFold.requested(requireNotGranted(before, event), requested, at);
            case LeaseRetryScheduled retried ->
                    RetryFold.retried(requireNotGranted(before, event), retried, at);
            case LeaseRefused _ -> {
                requireNotGranted(before, event);
                yield null;
            }
            case LeaseDeleted _ -> {
                requirePresent(before, event);
                yield null;
            }
            case ReservationGranted granted ->
                    ReservationFold.granted(draft(before, event, at), granted);
            case LeaseImported imported ->
                    ImportedLease.of(requirePresent(before, event), imported.past());
            case LeaseRenamed renamed -> draft(before, event, at).name(renamed.name()).view();
            case LeaseRescheduled moved ->
                    draft(before, event, at).reschedule(moved.period(), moved.beforeEnd()).view();
            case ReservationChanged changed ->
                    ReservationFold.changed(draft(before, event, at), changed).view();
            case ReservationAdded added ->
                    draft(before, event, at)
                            .add(ReservationViewBuilder.ofRequest(added.reservation(), at))
                            .view();
            case ReservationRemoved removed ->
                    ReservationFold.removed(draft(before, event, at), removed).view();
            case LeaseChangeRefused _ -> draft(before, event, at).viewOfUnchanged();
            case LeaseDelayed delayed -> delayed(draft(before, event, at), delayed).view();
            case ResourceReplaced replaced ->
                    ReservationFold.replaced(draft(before, event, at), replaced).view();
            case LeaseStarting starting -> starting(draft(before, event, at), starting).view();
            case ReservationActivated activated ->
                    ReservationFold.activated(draft(before, event, at), activated).view();
            case LeaseActivated _ -> activated(draft(before, event, at)).view();
            case ReservationAdjusting adjusting ->
                    ReservationFold.adjusting(draft(before, event, at), adjusting).view();
            case ReservationAdjusted adjusted ->
                    ReservationFold.adjusted(draft(before, event, at), adjusted).view();
            case ReservationFailed failed ->
                    ReservationFold.failed(draft(before, event, at), failed).view();
            case ResourceFailed failed ->
                    ReservationFold.resourceFailed(draft(before, event, at), failed).view();
            case ResourceRecovered recovered ->
                    ReservationFold.resourceRecovered(draft(before, event, at), recovered).view();
            case LeaseEndAnnounced _ ->
                    draft(before, event, at)
                            .setEventStatus(BEFORE_END_LEASE, ScheduledEventView.Status.DONE)
                            .view();
            case LeaseEnding ending -> ending(draft(before, event, at), ending).view();
            case ReservationReleased released ->
                    ReservationFold.released(draft(before, event, at), released).view();
            case LeaseEnded ended -> ended(draft(before, event, at), ended).view();
        };
    }

    /** Requires that nothing happened to the lease but refused attempts to create it. */
    private static @Nullable LeaseView requireNotGranted(
            @Nullable LeaseView before, LeaseEvent event) {
        return before != null && before.status() == LeaseStatus.RETRYING
                ? before
                : requireAbsent(before, event);
    }

    private static LeaseViewBuilder delayed(LeaseViewBuilder lease, LeaseDelayed event) {
        return lease.status(LeaseStatus.DELAYED)
                .explanation(event.reason())
                .setEventStatus(START_LEASE, ScheduledEventView.Status.IN_PROGRESS);
    }

    private static LeaseViewBuilder starting(LeaseViewBuilder lease, LeaseStarting event) {
        for (Tenure tenure : event.tenures()) {
            lease.updateReservation(tenure.reservation(), ReservationViewBuilder::retry);
        }
        return lease.status(LeaseStatus.STARTING)
                .clearExplanation()
                .setEventStatus(START_LEASE, ScheduledEventView.Status.IN_PROGRESS);
    }

    private static LeaseViewBuilder activated(LeaseViewBuilder lease) {
        return lease.status(LeaseStatus.ACTIVE)
                .clearExplanationIfComplete()
                .setEventStatus(START_LEASE, ScheduledEventView.Status.DONE);
    }

    private static LeaseViewBuilder ending(LeaseViewBuilder lease, LeaseEnding event) {
        if (event.cause() == EndCause.START_FAILED) {
            lease.explainFailedStart();
        } else {
            lease.explanation(null);
        }
        return lease.status(
                        event.cause() == EndCause.DELETED
                                ? LeaseStatus.DELETING
                                : LeaseStatus.ENDING)
                .setEventStatus(END_LEASE, ScheduledEventView.Status.IN_PROGRESS);
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
            case START_FAILED -> lease.status(LeaseStatus.ENDED).explainFailedStart();
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
