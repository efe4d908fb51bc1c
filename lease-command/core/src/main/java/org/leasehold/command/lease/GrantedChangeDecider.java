package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
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
     * Decides.
     *
     * @param terms the terms with the new reservations
     */
    static Decision decide(
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
     * Returns the events of a change that do not depend on the calendar.
     *
     * @param terms the present terms
     */
    static List<LeaseEvent> changeEvents(
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
        events.add(new ReservationAdjusting(terms.id(), tenure, joining, leaving));
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
