package org.leasehold.query.lease;

import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.OfReservation;
import org.leasehold.lease.LeasePast.OfStep;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;

/** A lease that was imported from another reservation service, with its state and dates there. */
final class ImportedLease {

    private ImportedLease() {}

    static LeaseView of(LeaseView lease, LeasePast past) {
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                status(past.stage()),
                lease.period(),
                lease.beforeEnd(),
                past.explanation(),
                lease.reservations().stream()
                        .map(
                                r ->
                                        past.of(r.id())
                                                .map(
                                                        pastReservation ->
                                                                reservation(r, pastReservation))
                                                .orElse(r))
                        .toList(),
                lease.scheduledEvents().stream().map(step -> step(step, past)).toList(),
                past.createdAt(),
                past.updatedAt(),
                lease.version() + 1,
                null,
                null);
    }

    private static LeaseStatus status(Stage stage) {
        return switch (stage) {
            case PENDING -> LeaseStatus.PENDING;
            case ACTIVE -> LeaseStatus.ACTIVE;
            case FAILED -> LeaseStatus.ERROR;
            case ENDED -> LeaseStatus.ENDED;
        };
    }

    // As in every record with such a map: the compiler loses the annotation of its values.
    @SuppressWarnings("NullAway")
    private static ReservationView reservation(ReservationView reservation, OfReservation past) {
        return new ReservationView(
                reservation.id(),
                reservation.kind(),
                switch (past.stage()) {
                    case PENDING -> ReservationView.Status.PENDING;
                    case ACTIVE -> ReservationView.Status.ACTIVE;
                    case FAILED -> ReservationView.Status.ERROR;
                    case ENDED -> ReservationView.Status.RELEASED;
                },
                reservation.parameters(),
                reservation.allocations(),
                past.cloudIds(),
                past.missingResources(),
                past.resourcesChanged(),
                null,
                past.createdAt(),
                past.updatedAt());
    }

    private static ScheduledEventView step(ScheduledEventView step, LeasePast past) {
        return past.steps().stream()
                .filter(pastStep -> type(pastStep.step()) == step.type())
                .findFirst()
                .map(
                        pastStep ->
                                new ScheduledEventView(
                                        pastStep.id(),
                                        step.type(),
                                        step.time(),
                                        status(pastStep.status()),
                                        pastStep.createdAt(),
                                        pastStep.updatedAt()))
                .orElse(step);
    }

    private static ScheduledEventView.Type type(OfStep.Step step) {
        return switch (step) {
            case START -> ScheduledEventView.Type.START_LEASE;
            case BEFORE_END -> ScheduledEventView.Type.BEFORE_END_LEASE;
            case END -> ScheduledEventView.Type.END_LEASE;
        };
    }

    private static ScheduledEventView.Status status(OfStep.Status status) {
        return switch (status) {
            case UNDONE -> ScheduledEventView.Status.UNDONE;
            case DONE -> ScheduledEventView.Status.DONE;
            case ERROR -> ScheduledEventView.Status.ERROR;
        };
    }
}
