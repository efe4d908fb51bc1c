package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.nothingToDo;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.CalendarRequest.ReplaceFailed;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Replacement;
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
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.lease.LeaseCommand.ReplaceFailedResource;
import org.leasehold.lease.LeaseCommand.ReplaceResource;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.ResourceMove;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Decides outages of resources that a lease has: replaces them before the start, and repairs
 * running reservations by adjustments.
 */
final class OutageDecider {

    private final DemandPlanner demands;
    private final StartDecider startDecider;

    OutageDecider(DemandPlanner demands, StartDecider startDecider) {
        this.demands = demands;
        this.startDecider = startDecider;
    }

    Proposal propose(ReplaceResource command, Lease lease, Instant now) {
        return switch (lease) {
            // The start is due as well, and replaces the resource.
            case Pending(LeaseTerms terms) when now.isBefore(terms.period().start()) ->
                    replace(terms, command.resourceId());
            case Delayed delayed ->
                    startDecider.propose(new StartLease(command.leaseId()), delayed, now);
            // A running lease keeps its grant. One that is gone by now is no error.
            case Pending _,
                    Retrying _,
                    Starting _,
                    Active _,
                    Failed _,
                    Ending _,
                    EndFailed _,
                    Ended _,
                    Absent _,
                    Refused _,
                    Deleted _ ->
                    nothingToDo();
        };
    }

    private Proposal replace(LeaseTerms terms, ResourceId resource) {
        List<Granted> granted =
                terms.reservations().stream()
                        .filter(reservation -> reservation.resources().contains(resource))
                        .map(
                                reservation ->
                                        new Granted(
                                                reservation.id(),
                                                demands.demandsOf(reservation.wish()),
                                                terms.period(),
                                                reservation.allocations()))
                        .toList();
        return granted.isEmpty()
                ? nothingToDo()
                : Proposal.of(
                        new Replace(terms.id(), terms.project(), granted),
                        grant -> Decision.accepted(replacedEvents(terms, grant.replacements())));
    }

    Proposal propose(ReplaceFailedResource command, Lease lease, Instant now) {
        return lease instanceof Active(LeaseTerms terms) && now.isBefore(terms.period().end())
                ? terms.find(command.reservationId())
                        .filter(r -> r.isIn(Phase.ACTIVE, Phase.ADJUSTING))
                        .filter(r -> r.failed().contains(command.resourceId()))
                        .filter(r -> demands.replacesFailedResources(r.kind()))
                        .map(r -> replaceFailed(terms, r, command.resourceId(), now))
                        .orElseGet(SharedLeaseRules::nothingToDo)
                // A start replaces the resource, and an end needs none.
                : nothingToDo();
    }

    private Proposal replaceFailed(
            LeaseTerms terms, Reservation reservation, ResourceId failed, Instant now) {
        LeasePeriod rest = new LeasePeriod(now, terms.period().end());
        Granted running =
                new Granted(
                        reservation.id(),
                        demands.demandsOf(reservation.wish()),
                        rest,
                        reservation.allocations());
        return Proposal.of(
                new ReplaceFailed(terms.id(), terms.project(), running, failed),
                grant ->
                        switch (grant) {
                            case Grant.Held held ->
                                    Decision.accepted(moveEvents(terms, reservation, rest, held));
                            case Grant.Unserviceable _ -> Decision.accepted(List.of());
                        });
    }

    private static List<LeaseEvent> moveEvents(
            LeaseTerms terms, Reservation reservation, LeasePeriod rest, Grant.Held held) {
        if (held.tenures().isEmpty()) {
            return List.of();
        }
        List<Allocation> after = Objects.requireNonNull(held.allocations().get(reservation.id()));
        List<ResourceId> joining = new ArrayList<>();
        List<Allocation> leaving = new ArrayList<>(reservation.leaving());
        List<ResourceMove> moves = new ArrayList<>(reservation.moves());
        // The calendar answers in the order of the request.
        for (int index = 0; index < after.size(); index++) {
            Allocation from = reservation.allocations().get(index);
            ResourceId to = after.get(index).resource();
            if (!from.resource().equals(to)) {
                joining.add(to);
                leaving.add(from);
                // An earlier move may still be on its way to this resource.
                moves.replaceAll(move -> move.redirected(from.resource(), to));
                moves.add(new ResourceMove(from.resource(), to));
            }
        }
        return List.of(
                new ReservationGranted(terms.id(), reservation.id(), rest, held.cleaning(), after),
                new ReservationAdjusting(
                        terms.id(), held.tenures().getFirst(), joining, leaving, moves));
    }

    /** Returns an event for each replacement. */
    static List<LeaseEvent> replacedEvents(LeaseTerms terms, List<Replacement> replacements) {
        return replacements.stream()
                .<LeaseEvent>map(
                        r ->
                                new ResourceReplaced(
                                        terms.id(),
                                        r.reservation(),
                                        r.replaced(),
                                        r.by(),
                                        r.reason()))
                .toList();
    }

    static Proposal propose(RecordOutage command, Lease lease) {
        return switch (lease) {
            case Starting(LeaseTerms terms) -> recordOutage(terms, command);
            case Active(LeaseTerms terms) -> recordOutage(terms, command);
            case Failed(LeaseTerms terms) -> recordOutage(terms, command);
            // A later start replaces a failed resource. A lease that ends loses nothing. A lease
            // that is gone by the time of the report is no error.
            case Retrying _,
                    Pending _,
                    Delayed _,
                    Ending _,
                    EndFailed _,
                    Ended _,
                    Absent _,
                    Refused _,
                    Deleted _ ->
                    nothingToDo();
        };
    }

    private static Proposal recordOutage(LeaseTerms terms, RecordOutage command) {
        ResourceId resource = command.resourceId();
        @Nullable String reason = command.reason();
        List<LeaseEvent> events = new ArrayList<>();
        for (Reservation reservation : terms.reservations()) {
            if (command.reservationId() != null
                    && !command.reservationId().equals(reservation.id())) {
                continue;
            }
            boolean lacks = reservation.failed().contains(resource);
            if (reason == null && lacks) {
                events.add(new ResourceRecovered(terms.id(), reservation.id(), resource));
            } else if (reason != null && !lacks && reservation.hasResource(resource)) {
                events.add(new ResourceFailed(terms.id(), reservation.id(), resource, reason));
            }
        }
        return Proposal.decided(Decision.accepted(events));
    }

    /** Adjusts reservations that lack something in the cloud; the adjustment restores it. */
    static List<LeaseEvent> restoreFailedResources(LeaseTerms terms) {
        List<LeaseEvent> events = new ArrayList<>();
        for (Reservation r : terms.reservations()) {
            Tenure tenure = r.tenure();
            if (r.isIn(Phase.ACTIVE) && !r.failed().isEmpty() && tenure != null) {
                events.add(new ReservationAdjusting(terms.id(), tenure, List.of(), List.of()));
            }
        }
        return events;
    }

    /** Adjusts reservations whose last adjustment failed again. */
    static List<LeaseEvent> repeatAdjustments(LeaseTerms terms) {
        List<LeaseEvent> events = new ArrayList<>();
        for (Reservation r : terms.reservations()) {
            Tenure tenure = r.tenure();
            if (r.isIn(Phase.ADJUSTMENT_FAILED) && tenure != null) {
                events.add(
                        new ReservationAdjusting(
                                terms.id(),
                                tenure,
                                List.of(),
                                r.leaving(),
                                r.movesTo(r.resources())));
            }
        }
        return events;
    }
}
