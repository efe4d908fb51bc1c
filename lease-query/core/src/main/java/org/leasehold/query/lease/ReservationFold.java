package org.leasehold.query.lease;

import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
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

/** The fold of the events of one reservation to the view of the lease. */
final class ReservationFold {

    /** The words that explain a failed start. */
    static final String START_FAILURE = "could not be started";

    private ReservationFold() {}

    static LeaseView granted(LeaseViewBuilder lease, ReservationGranted event) {
        // The first grant completes the request: the lease has not changed yet.
        boolean first = lease.isAwaitingFirstGrant(event.reservationId());
        lease.updateReservation(
                event.reservationId(), reservation -> reservation.grant(event.allocations()));
        return first ? lease.viewOfUnchanged() : lease.clearExplanationIfComplete().view();
    }

    static LeaseViewBuilder changed(LeaseViewBuilder lease, ReservationChanged event) {
        return lease.updateReservation(
                event.reservationId(), reservation -> reservation.parameters(event.parameters()));
    }

    static LeaseViewBuilder replaced(LeaseViewBuilder lease, ResourceReplaced event) {
        return lease.updateReservation(
                        event.reservationId(),
                        reservation -> reservation.replace(event.replaced(), event.replacement()))
                .explanation(
                        "%s; %s replaces it."
                                .formatted(event.reason(), event.replacement().name()));
    }

    static LeaseViewBuilder activated(LeaseViewBuilder lease, ReservationActivated event) {
        return lease.updateReservation(
                event.reservationId(),
                reservation -> {
                    reservation.complete();
                    reservation.setCloudIds(event.cloudIds());
                });
    }

    static LeaseViewBuilder adjusting(LeaseViewBuilder lease, ReservationAdjusting event) {
        return lease.updateReservation(
                        event.tenure().reservation(), ReservationViewBuilder::activate)
                .endErrorIfRecovered();
    }

    static LeaseViewBuilder adjusted(LeaseViewBuilder lease, ReservationAdjusted event) {
        return lease.updateReservation(
                event.reservationId(),
                reservation -> {
                    reservation.complete();
                    if (event.cloudIds() != null) {
                        reservation.setCloudIds(event.cloudIds());
                    }
                });
    }

    static LeaseViewBuilder failed(LeaseViewBuilder lease, ReservationFailed event) {
        return switch (event.action()) {
            case PREPARE -> lease;
            case START ->
                    inError(lease, event, START_FAILURE)
                            .setEventStatus(START_LEASE, ScheduledEventView.Status.ERROR);
            case ADJUST -> inError(lease, event, "could not be adjusted");
            // The step before the end failed; the lease itself is unaffected.
            case BEFORE_END ->
                    lease.setEventStatus(BEFORE_END_LEASE, ScheduledEventView.Status.ERROR);
            case END ->
                    lease.isRemoved(event.reservationId()) && !lease.isEnding()
                            ? removalFailed(lease, event)
                            : inError(lease, event, "could not be ended")
                                    .setEventStatus(END_LEASE, ScheduledEventView.Status.ERROR);
        };
    }

    /** Applies the failure to take a removed reservation back; the lease itself is unaffected. */
    private static LeaseViewBuilder removalFailed(LeaseViewBuilder lease, ReservationFailed event) {
        return lease.updateReservation(event.reservationId(), r -> r.fail(false))
                .explainFailedRemoval(text(event, LeaseViewBuilder.REMOVAL_FAILURE));
    }

    private static LeaseViewBuilder inError(
            LeaseViewBuilder lease, ReservationFailed event, String failure) {
        boolean incomplete =
                event.fault().kind() == Fault.Kind.INSUFFICIENT_RESOURCES
                        && event.action() != Action.END;
        String text = text(event, failure);
        lease.updateReservation(event.reservationId(), r -> r.fail(incomplete))
                .status(LeaseStatus.ERROR);
        return event.action() == Action.END
                ? lease.explainFailedEnd(text)
                : lease.explanation(text);
    }

    private static String text(ReservationFailed event, String failure) {
        return "Reservation %s %s: %s"
                .formatted(event.reservationId(), failure, event.fault().message());
    }

    /** Applies a removal; the first one, or one that is repeated after a failure. */
    static LeaseViewBuilder removed(LeaseViewBuilder lease, ReservationRemoved event) {
        return lease.updateReservation(event.reservationId(), ReservationViewBuilder::remove)
                .clearExplanationIfComplete();
    }

    static LeaseViewBuilder resourceFailed(LeaseViewBuilder lease, ResourceFailed event) {
        return lease.updateReservation(
                        event.reservationId(),
                        reservation -> reservation.markDown(event.resourceId()))
                .explainMissingResource(event.reservationId(), event.resourceId(), event.reason());
    }

    static LeaseViewBuilder resourceRecovered(LeaseViewBuilder lease, ResourceRecovered event) {
        return lease.updateReservation(
                        event.reservationId(),
                        reservation -> reservation.markUp(event.resourceId()))
                .clearExplanationIfComplete();
    }

    /** Applies a release; a removed reservation disappears. */
    static LeaseViewBuilder released(LeaseViewBuilder lease, ReservationReleased event) {
        return lease.isRemoved(event.reservationId())
                ? lease.drop(event.reservationId()).clearExplanationIfComplete()
                : lease.updateReservation(event.reservationId(), ReservationViewBuilder::release);
    }
}
