package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.nothingToDo;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Reduce;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.command.lease.Lease.Absent;
import org.leasehold.command.lease.Lease.Active;
import org.leasehold.command.lease.Lease.Delayed;
import org.leasehold.command.lease.Lease.Deleted;
import org.leasehold.command.lease.Lease.EndFailed;
import org.leasehold.command.lease.Lease.Ended;
import org.leasehold.command.lease.Lease.Ending;
import org.leasehold.command.lease.Lease.Failed;
import org.leasehold.command.lease.Lease.Living;
import org.leasehold.command.lease.Lease.Pending;
import org.leasehold.command.lease.Lease.Refused;
import org.leasehold.command.lease.Lease.Retrying;
import org.leasehold.command.lease.Lease.Starting;
import org.leasehold.command.lease.Reservation.Phase;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the cloud's confirmations of starts and adjustments. Only they free what a running
 * reservation no longer needs: until then the calendar holds the old and the new needs.
 */
final class ConfirmationDecider {

    private final DemandPlanner demands;

    ConfirmationDecider(DemandPlanner demands) {
        this.demands = demands;
    }

    /** The events of a confirmation. */
    @FunctionalInterface
    private interface Confirmation {

        /**
         * Returns the events.
         *
         * @param left the resources that the reservation releases
         * @param smaller the events of its smaller request and grant; empty if both stay
         */
        List<LeaseEvent> events(List<ResourceId> left, List<LeaseEvent> smaller);
    }

    Proposal propose(ConfirmStart command, Lease lease, Instant now) {
        return switch (lease) {
            case Starting(LeaseTerms terms) -> confirmed(terms, command, true, now);
            case Failed(LeaseTerms terms) -> confirmed(terms, command, false, now);
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _, Pending _, Delayed _, Active _, Ending _, EndFailed _, Ended _ ->
                    nothingToDo();
        };
    }

    private Proposal confirmed(
            LeaseTerms terms, ConfirmStart command, boolean mayActivate, Instant now) {
        Optional<Reservation> reservation =
                StartDecider.current(terms, command.tenure(), Phase.STARTING);
        if (reservation.isEmpty()) {
            return nothingToDo();
        }
        Confirmation confirmation =
                (left, smaller) -> startEvents(terms, command, mayActivate, left, smaller);
        // A start that repeats a failed adjustment confirms that one, too.
        return reduction(terms, reservation.get(), now, confirmation)
                .orElseGet(
                        () ->
                                Proposal.decided(
                                        Decision.accepted(
                                                confirmation.events(List.of(), List.of()))));
    }

    private List<LeaseEvent> startEvents(
            LeaseTerms terms,
            ConfirmStart command,
            boolean mayActivate,
            List<ResourceId> left,
            List<LeaseEvent> smaller) {
        Tenure tenure = command.tenure();
        LeaseTerms after =
                terms.updateReservation(tenure.reservation(), r -> r.withPhase(Phase.ACTIVE));
        List<LeaseEvent> events = new ArrayList<>();
        events.add(
                new ReservationActivated(
                        terms.id(),
                        tenure.reservation(),
                        orNull(command.cloudIds()),
                        SharedLeaseRules.orNull(after.startable(demands.startOrder()))));
        events.addAll(smaller);
        if (!left.isEmpty() || !smaller.isEmpty()) {
            events.add(new ReservationAdjusted(terms.id(), tenure.reservation(), left));
        }
        if (mayActivate && after.areAllIn(Phase.ACTIVE, Phase.ADJUSTING)) {
            events.add(new LeaseActivated(terms.id()));
        }
        return events;
    }

    Proposal propose(ConfirmAdjustment command, Lease lease, Instant now) {
        if (!(lease instanceof Living living)) {
            return SharedLeaseRules.notFound(command.leaseId());
        }
        return StartDecider.current(living.terms(), command.tenure(), Phase.ADJUSTING)
                .map(reservation -> adjusted(command, living, reservation, now))
                .orElseGet(SharedLeaseRules::nothingToDo);
    }

    private Proposal adjusted(
            ConfirmAdjustment command, Living lease, Reservation reservation, Instant now) {
        LeaseTerms terms = lease.terms();
        LeaseTerms after = terms.updateReservation(reservation.id(), Reservation::adjusted);
        boolean ends = StartDecider.ends(lease);
        @Nullable List<Tenure> next =
                ends ? null : SharedLeaseRules.orNull(after.startable(demands.startOrder()));
        Confirmation confirmation =
                (left, smaller) -> {
                    List<LeaseEvent> events = new ArrayList<>(smaller);
                    events.add(
                            new ReservationAdjusted(
                                    terms.id(),
                                    reservation.id(),
                                    left,
                                    orNull(command.cloudIds()),
                                    next));
                    return events;
                };
        Optional<Proposal> reduction =
                ends ? Optional.empty() : reduction(terms, reservation, now, confirmation);
        return reduction.orElseGet(() -> released(reservation, confirmation));
    }

    private static @Nullable Map<String, Object> orNull(Map<String, Object> cloudIds) {
        return cloudIds.isEmpty() ? null : cloudIds;
    }

    private static Proposal released(Reservation reservation, Confirmation confirmation) {
        Decision decision =
                Decision.accepted(
                        confirmation.events(
                                reservation.leaving().stream().map(Allocation::resource).toList(),
                                List.of()));
        return reservation.leaving().isEmpty()
                ? Proposal.decided(decision)
                : Proposal.of(
                        new LetGo(reservation.id(), reservation.leavingResources()), _ -> decision);
    }

    /**
     * Reduces a reservation to its smaller request, which the cloud has just confirmed. Returns
     * empty if the confirmation changes nothing, and at the end of the lease, which frees
     * everything.
     */
    private Optional<Proposal> reduction(
            LeaseTerms terms, Reservation reservation, Instant now, Confirmation confirmation) {
        if (!now.isBefore(terms.period().end())) {
            return Optional.empty();
        }
        LeasePeriod rest = new LeasePeriod(now, terms.period().end());
        return demands.confirmed(reservation.wish())
                .map(
                        smaller ->
                                Proposal.of(
                                        request(terms, reservation, smaller, rest),
                                        grant ->
                                                Decision.accepted(
                                                        reductionEvents(
                                                                terms,
                                                                smaller,
                                                                rest,
                                                                grant,
                                                                confirmation))));
    }

    private static Reduce request(
            LeaseTerms terms, Reservation reservation, Understood smaller, LeasePeriod rest) {
        return new Reduce(
                terms.id(),
                terms.project(),
                reservation.id(),
                smaller.demands(),
                rest,
                reservation.allocations(),
                reservation.leavingResources());
    }

    private static List<LeaseEvent> reductionEvents(
            LeaseTerms terms,
            Understood smaller,
            LeasePeriod rest,
            Grant.OfReduce grant,
            Confirmation confirmation) {
        return switch (grant) {
            case Grant.Reduced(var allocations, var cleaning, var left) ->
                    confirmation.events(
                            left,
                            List.of(
                                    new ReservationChanged(
                                            terms.id(),
                                            smaller.wish().id(),
                                            smaller.wish().parameters()),
                                    new ReservationGranted(
                                            terms.id(),
                                            smaller.wish().id(),
                                            rest,
                                            cleaning,
                                            allocations)));
            case Grant.NotReduced(var left) -> confirmation.events(left, List.of());
        };
    }
}
