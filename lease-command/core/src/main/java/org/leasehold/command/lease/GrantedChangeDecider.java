package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.later;

import org.jspecify.annotations.Nullable;
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
import org.leasehold.command.lease.Lease.Pending;
import org.leasehold.command.lease.Lease.Refused;
import org.leasehold.command.lease.Lease.Retrying;
import org.leasehold.command.lease.Lease.Starting;
import org.leasehold.command.lease.Reservation.Phase;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.StartOrder;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides a change of a lease from the calendar's grant. */
final class GrantedChangeDecider {

    private GrantedChangeDecider() {}

    /**
     * A valid change on its way through the calendar.
     *
     * @param terms the terms without the removed reservations
     * @param joined the terms with the new reservations, too
     * @param removals the events of the removal
     * @param changed the changed and the new requests
     */
    record Replan(
            Lease lease,
            LeaseTerms terms,
            LeaseTerms joined,
            List<LeaseEvent> renamed,
            List<LeaseEvent> removals,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            Map<ReservationId, Understood> changed,
            Instant now) {

        boolean needsCalendar() {
            return !joined.reservations().isEmpty()
                    && (!changed.isEmpty() || !period.equals(terms.period()));
        }

        /** Returns true for a new reservation of a running lease, which has no own start. */
        boolean startsImmediately(Reservation reservation) {
            return lease instanceof Active && terms.find(reservation.id()).isEmpty();
        }

        LeasePeriod claimPeriod() {
            return new LeasePeriod(later(period.start(), now), period.end());
        }

        Decision decide(Grant.OfHold grant, StartOrder order) {
            return recovered(
                    GrantedChangeDecider.decide(
                            joined, period, changed, claimPeriod(), events(), order, grant));
        }

        /** Returns the decision, with the events of a lease that starts without what left it. */
        Decision recovered(Decision decision) {
            return GrantedChangeDecider.recovered(lease, decision);
        }

        List<LeaseEvent> events() {
            List<LeaseEvent> events =
                    GrantedChangeDecider.changeEvents(terms, renamed, period, beforeEnd, changed);
            events.addAll(removals);
            return events;
        }
    }

    /**
     * Decides.
     *
     * @param terms the terms with the new reservations
     */
    private static Decision decide(
            LeaseTerms terms,
            LeasePeriod period,
            Map<ReservationId, Understood> changed,
            LeasePeriod claimed,
            List<LeaseEvent> wishes,
            StartOrder order,
            Grant.OfHold grant) {
        return switch (grant) {
            case Grant.Held held -> {
                List<LeaseEvent> events = new ArrayList<>(wishes);
                terms.reservations()
                        .forEach(r -> events.addAll(grantEvents(terms, r, claimed, held)));
                events.addAll(startEvents(terms, held, order));
                yield Decision.accepted(events);
            }
            case Grant.HoldRefused(var shortages, long asOf) ->
                    new Decision.Refused(
                            new LeaseChangeRefused(
                                    terms.id(),
                                    period,
                                    requestedReservations(terms, changed),
                                    shortages,
                                    asOf),
                            shortages);
        };
    }

    /**
     * Returns the events of a change that do not depend on the calendar, without removals.
     *
     * @param terms the present terms, without removed reservations
     */
    private static List<LeaseEvent> changeEvents(
            LeaseTerms terms,
            List<LeaseEvent> renamed,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            Map<ReservationId, Understood> changed) {
        List<LeaseEvent> events = new ArrayList<>(renamed);
        if (!period.equals(terms.period()) || !Objects.equals(beforeEnd, terms.beforeEnd())) {
            events.add(new LeaseRescheduled(terms.id(), period, beforeEnd));
        }
        changed.forEach(
                (id, wish) ->
                        events.add(
                                terms.find(id).isEmpty()
                                        ? new ReservationAdded(terms.id(), wish.wish())
                                        : new ReservationChanged(
                                                terms.id(), id, wish.wish().parameters())));
        return events;
    }

    /** Returns the removals; a reservation that holds nothing is released at once. */
    static List<LeaseEvent> removalEvents(LeaseTerms before, List<ReservationId> removed) {
        List<LeaseEvent> events = new ArrayList<>();
        List<LeaseEvent> released = new ArrayList<>();
        for (Reservation reservation : before.reservations()) {
            ReservationId id = reservation.id();
            if (removed.contains(id)) {
                events.add(new ReservationRemoved(before.id(), id, reservation.tenure()));
                if (!reservation.hasResources()) {
                    released.add(new ReservationReleased(before.id(), id));
                }
            }
        }
        events.addAll(released);
        return events;
    }

    /**
     * Adds the events of a lease that was held up by reservations, and is no longer because they
     * were removed.
     *
     * @param before the lease before the decision
     */
    private static Decision recovered(Lease before, Decision decision) {
        if (!(decision instanceof Decision.Accepted(List<LeaseEvent> events))
                || events.stream().noneMatch(ReservationRemoved.class::isInstance)) {
            return decision;
        }
        Lease after = before;
        for (LeaseEvent event : events) {
            after = Lease.evolve(after, event);
        }
        List<LeaseEvent> all = new ArrayList<>(events);
        if (before instanceof Failed && after instanceof Active(LeaseTerms terms)) {
            // An adjustment in the same change has ended the error.
            all.add(new LeaseActivated(terms.id()));
        } else {
            all.addAll(recoveryOf(after));
        }
        return Decision.accepted(all);
    }

    private static List<LeaseEvent> recoveryOf(Lease lease) {
        return switch (lease) {
            case Delayed(LeaseTerms terms, _) -> List.of(startAgain(terms));
            case Failed(LeaseTerms terms)
                    when !terms.isAnyIn(Phase.START_FAILED, Phase.ADJUSTMENT_FAILED) -> {
                if (terms.isAnyIn(Phase.PENDING)) {
                    yield List.of(startAgain(terms));
                }
                yield List.of(
                        terms.isAnyIn(Phase.WAITING, Phase.STARTING)
                                ? new LeaseStarting(terms.id(), List.of())
                                : new LeaseActivated(terms.id()));
            }
            case Absent _,
                    Refused _,
                    Deleted _,
                    Retrying _,
                    Pending _,
                    Starting _,
                    Active _,
                    Failed _,
                    Ending _,
                    EndFailed _,
                    Ended _ ->
                    List.of();
        };
    }

    /** Returns the event after which the lease tries to start at once. */
    private static LeaseEvent startAgain(LeaseTerms terms) {
        return new LeaseDelayed(
                terms.id(), List.of(), "The lease starts without the removed reservations.");
    }

    private static List<LeaseEvent> grantEvents(
            LeaseTerms terms, Reservation reservation, LeasePeriod claimed, Grant.Held held) {
        List<Allocation> allocations =
                Objects.requireNonNull(held.allocations().get(reservation.id()));
        List<LeaseEvent> events = new ArrayList<>();
        events.add(
                new ReservationGranted(
                        terms.id(), reservation.id(), claimed, held.cleaning(), allocations));
        held.tenures().stream()
                .filter(_ -> reservation.hasResources())
                .filter(tenure -> tenure.reservation().equals(reservation.id()))
                .findFirst()
                .ifPresent(
                        tenure -> addAdjustment(terms, reservation, allocations, tenure, events));
        return events;
    }

    /** Returns the start of new reservations of a running lease that got resources. */
    private static List<LeaseEvent> startEvents(
            LeaseTerms terms, Grant.Held held, StartOrder order) {
        List<Tenure> tenures =
                held.tenures().stream()
                        .filter(
                                tenure ->
                                        terms.find(tenure.reservation())
                                                .filter(Reservation::hasResources)
                                                .isEmpty())
                        .toList();
        return tenures.isEmpty()
                ? List.of()
                : List.of(StartDecider.startEvent(terms, tenures, order));
    }

    /** Adds the adjustment in the cloud of a running reservation that gains or loses resources. */
    private static void addAdjustment(
            LeaseTerms terms,
            Reservation before,
            List<Allocation> after,
            Tenure tenure,
            List<LeaseEvent> events) {
        Set<ResourceId> had = before.resources();
        Set<ResourceId> has = after.stream().map(Allocation::resource).collect(Collectors.toSet());
        List<ResourceId> joining = has.stream().filter(r -> !had.contains(r)).sorted().toList();
        List<Allocation> leaving = new ArrayList<>(before.leaving());
        leaving.addAll(before.allocations());
        leaving.removeIf(allocation -> has.contains(allocation.resource()));
        events.add(
                new ReservationAdjusting(
                        terms.id(), tenure, joining, leaving, before.movesTo(has)));
    }

    private static List<ReservationWish> requestedReservations(
            LeaseTerms terms, Map<ReservationId, Understood> changed) {
        return terms.reservations().stream()
                .map(
                        r -> {
                            Understood understood = changed.get(r.id());
                            return understood == null ? r.wish() : understood.wish();
                        })
                .toList();
    }
}
