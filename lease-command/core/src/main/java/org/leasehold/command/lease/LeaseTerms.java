package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.lease.Reservation.Phase;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.resource.StartOrder;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The data that a lease has in every state.
 *
 * @param beforeEnd the time of the end's announcement; null for no announcement
 * @param announced the last announced {@code beforeEnd}; null before the first time
 * @param onFailure the policy for a failed start; KEEP as soon as the lease was active
 */
record LeaseTerms(
        LeaseId id,
        ProjectId project,
        String name,
        LeasePeriod period,
        @Nullable Instant beforeEnd,
        @Nullable Instant announced,
        List<Reservation> reservations,
        StartFailurePolicy onFailure) {

    static LeaseTerms of(LeaseRequested event) {
        return new LeaseTerms(
                event.leaseId(),
                event.projectId(),
                event.name(),
                event.period(),
                event.beforeEnd(),
                null,
                event.reservations().stream().map(Reservation::of).toList(),
                policyOf(event.onFailure()));
    }

    static LeaseTerms of(LeaseRetryScheduled event) {
        return new LeaseTerms(
                event.leaseId(),
                event.projectId(),
                event.name(),
                event.period(),
                event.beforeEnd(),
                null,
                event.reservations().stream().map(Reservation::of).toList(),
                policyOf(event.onFailure()));
    }

    /** Returns the policy of a request; events from before there were policies have none. */
    private static StartFailurePolicy policyOf(@Nullable StartFailurePolicy requested) {
        return requested == null ? StartFailurePolicy.KEEP : requested;
    }

    LeaseTerms named(String newName) {
        return new LeaseTerms(
                id, project, newName, period, beforeEnd, announced, reservations, onFailure);
    }

    LeaseTerms rescheduled(LeaseRescheduled event) {
        return new LeaseTerms(
                id,
                project,
                name,
                event.period(),
                event.beforeEnd(),
                announced,
                reservations,
                onFailure);
    }

    LeaseTerms endAnnounced() {
        return new LeaseTerms(
                id, project, name, period, beforeEnd, beforeEnd, reservations, onFailure);
    }

    /** Returns the terms of a lease that was active: a later failure does not release it. */
    LeaseTerms activated() {
        return new LeaseTerms(
                id,
                project,
                name,
                period,
                beforeEnd,
                announced,
                reservations,
                StartFailurePolicy.KEEP);
    }

    LeaseTerms withReservation(ReservationWish further) {
        return new LeaseTerms(
                id,
                project,
                name,
                period,
                beforeEnd,
                announced,
                Stream.concat(reservations.stream(), Stream.of(Reservation.of(further))).toList(),
                onFailure);
    }

    LeaseTerms updateAll(UnaryOperator<Reservation> change) {
        return new LeaseTerms(
                id,
                project,
                name,
                period,
                beforeEnd,
                announced,
                reservations.stream().map(change).toList(),
                onFailure);
    }

    LeaseTerms updateReservation(ReservationId reservation, UnaryOperator<Reservation> change) {
        return updateAll(r -> r.id().equals(reservation) ? change.apply(r) : r);
    }

    Optional<Reservation> find(ReservationId reservation) {
        return reservations.stream().filter(r -> r.id().equals(reservation)).findFirst();
    }

    /** Returns the tenures of all resources that the lease holds. */
    List<Tenure> tenures() {
        return tenures(_ -> true);
    }

    /** Returns the tenures of the resources that some reservations hold. */
    List<Tenure> tenures(Predicate<Reservation> which) {
        return reservations.stream()
                .filter(which)
                .map(Reservation::tenure)
                .<Tenure>mapMulti(
                        (tenure, sink) -> {
                            if (tenure != null) {
                                sink.accept(tenure);
                            }
                        })
                .toList();
    }

    /** Returns whether a reservation has to wait until others that it starts after are active. */
    boolean waitsForStart(Reservation reservation, StartOrder order) {
        return reservations.stream()
                .filter(other -> !other.isIn(Phase.ACTIVE, Phase.RELEASED))
                .anyMatch(other -> order.isAfter(reservation.kind(), other.kind()));
    }

    /** Returns the tenures of the waiting reservations that wait for nothing any more. */
    List<Tenure> startable(StartOrder order) {
        return tenures(r -> r.isIn(Phase.WAITING) && !waitsForStart(r, order));
    }

    boolean areAllIn(Phase... phases) {
        return reservations.stream().allMatch(r -> r.isIn(phases));
    }

    /** Returns true if any reservation lacks a resource that is down in the cloud. */
    boolean hasFailedResources() {
        return reservations.stream().anyMatch(r -> !r.failed().isEmpty());
    }

    boolean isAnyIn(Phase... phases) {
        return reservations.stream().anyMatch(r -> r.isIn(phases));
    }
}
