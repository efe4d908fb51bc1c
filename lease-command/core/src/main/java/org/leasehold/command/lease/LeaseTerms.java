package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The data that a lease has in every state.
 *
 * @param beforeEnd the time of the end's announcement; null for no announcement
 * @param announced the last announced {@code beforeEnd}; null before the first time
 */
record LeaseTerms(
        LeaseId id,
        ProjectId project,
        String name,
        LeasePeriod period,
        @Nullable Instant beforeEnd,
        @Nullable Instant announced,
        List<Reservation> reservations) {

    static LeaseTerms of(LeaseRequested event) {
        return new LeaseTerms(
                event.leaseId(),
                event.projectId(),
                event.name(),
                event.period(),
                event.beforeEnd(),
                null,
                event.reservations().stream().map(Reservation::of).toList());
    }

    LeaseTerms named(String newName) {
        return new LeaseTerms(id, project, newName, period, beforeEnd, announced, reservations);
    }

    LeaseTerms rescheduled(LeaseRescheduled event) {
        return new LeaseTerms(
                id, project, name, event.period(), event.beforeEnd(), announced, reservations);
    }

    LeaseTerms endAnnounced() {
        return new LeaseTerms(id, project, name, period, beforeEnd, beforeEnd, reservations);
    }

    LeaseTerms withReservation(ReservationWish further) {
        return new LeaseTerms(
                id,
                project,
                name,
                period,
                beforeEnd,
                announced,
                Stream.concat(reservations.stream(), Stream.of(Reservation.of(further))).toList());
    }

    LeaseTerms updateAll(UnaryOperator<Reservation> change) {
        return new LeaseTerms(
                id,
                project,
                name,
                period,
                beforeEnd,
                announced,
                reservations.stream().map(change).toList());
    }

    LeaseTerms updateReservation(ReservationId reservation, UnaryOperator<Reservation> change) {
        return updateAll(r -> r.id().equals(reservation) ? change.apply(r) : r);
    }

    Optional<Reservation> find(ReservationId reservation) {
        return reservations.stream().filter(r -> r.id().equals(reservation)).findFirst();
    }

    /** Returns the tenures of all resources that the lease holds. */
    List<Tenure> tenures() {
        return reservations.stream()
                .map(Reservation::tenure)
                .<Tenure>mapMulti(
                        (tenure, sink) -> {
                            if (tenure != null) {
                                sink.accept(tenure);
                            }
                        })
                .toList();
    }

    boolean areAllIn(Reservation.Phase... phases) {
        return reservations.stream().allMatch(r -> r.isIn(phases));
    }

    /** Returns true if any reservation lacks a resource that is down in the cloud. */
    boolean hasFailedResources() {
        return reservations.stream().anyMatch(r -> !r.failed().isEmpty());
    }

    boolean isAnyIn(Reservation.Phase... phases) {
        return reservations.stream().anyMatch(r -> r.isIn(phases));
    }
}
