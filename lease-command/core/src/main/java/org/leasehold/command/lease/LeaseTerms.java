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
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The data that a lease has in every state.
 *
 * @param beforeEnd the time of the end's announcement; null for no announcement
 * @param announced the last announced {@code beforeEnd}; null before the first time
 * @param removed the reservations that were removed, while plug-ins take their resources back
 * @param former the ids of those that are gone; an addition that repeats one is an earlier request
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
        List<Reservation> removed,
        Set<ReservationId> former,
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
                List.of(),
                Set.of(),
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
                List.of(),
                Set.of(),
                policyOf(event.onFailure()));
    }

    /** Returns the policy of a request; events from before there were policies have none. */
    private static StartFailurePolicy policyOf(@Nullable StartFailurePolicy requested) {
        return requested == null ? StartFailurePolicy.KEEP : requested;
    }

    LeaseTerms named(String newName) {
        return with(newName, period, beforeEnd, announced, onFailure);
    }

    LeaseTerms rescheduled(LeaseRescheduled event) {
        return with(name, event.period(), event.beforeEnd(), announced, onFailure);
    }

    LeaseTerms endAnnounced() {
        return with(name, period, beforeEnd, beforeEnd, onFailure);
    }

    /** Returns the terms of a lease that was active: a later failure does not release it. */
    LeaseTerms activated() {
        return with(name, period, beforeEnd, announced, StartFailurePolicy.KEEP);
    }

    private LeaseTerms with(
            String newName,
            LeasePeriod newPeriod,
            @Nullable Instant newBeforeEnd,
            @Nullable Instant newAnnounced,
            StartFailurePolicy policy) {
        return new LeaseTerms(
                id,
                project,
                newName,
                newPeriod,
                newBeforeEnd,
                newAnnounced,
                reservations,
                removed,
                former,
                policy);
    }

    private LeaseTerms with(
            List<Reservation> present, List<Reservation> leaving, Set<ReservationId> gone) {
        return new LeaseTerms(
                id, project, name, period, beforeEnd, announced, present, leaving, gone, onFailure);
    }

    LeaseTerms withReservation(ReservationWish further) {
        return with(
                Stream.concat(reservations.stream(), Stream.of(Reservation.of(further))).toList(),
                removed,
                former);
    }

    /** Returns the terms after a removal, or after a retry of one. */
    LeaseTerms withoutReservation(ReservationId reservation) {
        return find(reservation)
                .map(
                        found ->
                                with(
                                        without(reservations, reservation),
                                        Stream.concat(
                                                        removed.stream(),
                                                        Stream.of(found.withPhase(Phase.REMOVED)))
                                                .toList(),
                                        former))
                .orElseGet(() -> updateRemoved(reservation, r -> r.withPhase(Phase.REMOVED)));
    }

    /** Returns the terms after the removal of reservations; those that hold nothing are gone. */
    LeaseTerms withoutReservations(List<ReservationId> ids) {
        LeaseTerms terms = this;
        for (ReservationId reservation : ids) {
            terms = terms.withoutReservation(reservation);
            if (terms.findRemoved(reservation).filter(Reservation::hasResources).isEmpty()) {
                terms = terms.released(reservation);
            }
        }
        return terms;
    }

    /** Returns the terms after a release; a removed reservation is gone then. */
    LeaseTerms released(ReservationId reservation) {
        return findRemoved(reservation).isPresent()
                ? with(
                        reservations,
                        without(removed, reservation),
                        Stream.concat(former.stream(), Stream.of(reservation))
                                .collect(Collectors.toUnmodifiableSet()))
                : updateReservation(reservation, Reservation::released);
    }

    private static List<Reservation> without(List<Reservation> all, ReservationId reservation) {
        return all.stream().filter(r -> !r.id().equals(reservation)).toList();
    }

    LeaseTerms updateAll(UnaryOperator<Reservation> change) {
        return with(reservations.stream().map(change).toList(), removed, former);
    }

    LeaseTerms updateRemoved(ReservationId reservation, UnaryOperator<Reservation> change) {
        return with(
                reservations,
                removed.stream()
                        .map(r -> r.id().equals(reservation) ? change.apply(r) : r)
                        .toList(),
                former);
    }

    LeaseTerms updateReservation(ReservationId reservation, UnaryOperator<Reservation> change) {
        return updateAll(r -> r.id().equals(reservation) ? change.apply(r) : r);
    }

    Optional<Reservation> find(ReservationId reservation) {
        return reservations.stream().filter(r -> r.id().equals(reservation)).findFirst();
    }

    /** Returns the removed reservation with an id, until plug-ins have taken it back. */
    Optional<Reservation> findRemoved(ReservationId reservation) {
        return removed.stream().filter(r -> r.id().equals(reservation)).findFirst();
    }

    /** Returns whether the lease has, or had, a reservation with this id. */
    boolean hasKnown(ReservationId reservation) {
        return find(reservation).isPresent()
                || findRemoved(reservation).isPresent()
                || former.contains(reservation);
    }

    /** Returns all reservations that the cloud may hold something for, removed ones last. */
    List<Reservation> unreleased() {
        return Stream.concat(reservations.stream(), removed.stream()).toList();
    }

    List<ReservationId> reservationIds() {
        return reservations.stream().map(Reservation::id).toList();
    }

    /** Returns the tenures of all resources that the lease holds. */
    List<Tenure> tenures() {
        return tenures(unreleased().stream());
    }

    private static List<Tenure> tenures(Stream<Reservation> holders) {
        return holders.map(Reservation::tenure)
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
        return tenures(
                reservations.stream()
                        .filter(r -> r.isIn(Phase.WAITING) && !waitsForStart(r, order)));
    }

    /** Returns true if the cloud is clean of all reservations. */
    boolean isReleased() {
        return removed.isEmpty() && areAllIn(Phase.RELEASED);
    }

    boolean areAllIn(Phase... phases) {
        return reservations.stream().allMatch(r -> r.isIn(phases));
    }

    /** Returns true if a plug-in could not take back a removed reservation. */
    boolean hasFailedRemovals() {
        return removed.stream().anyMatch(r -> r.isIn(Phase.REMOVAL_FAILED));
    }

    /** Returns true if any reservation lacks a resource that is down in the cloud. */
    boolean hasFailedResources() {
        return reservations.stream().anyMatch(r -> !r.failed().isEmpty());
    }

    boolean isAnyIn(Phase... phases) {
        return reservations.stream().anyMatch(r -> r.isIn(phases));
    }
}
