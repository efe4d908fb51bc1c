package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.nothingToDo;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Replace;
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
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.lease.LeaseCommand.ReplaceResource;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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
                events.add(new ReservationAdjusting(terms.id(), tenure, List.of(), r.leaving()));
            }
        }
        return events;
    }
}
