package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.nothingToDo;

import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
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
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.resource.StartOrder;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Decides the start of a lease, and faults. */
final class StartDecider {

    private final DemandPlanner demands;
    private final StartOrder order;

    StartDecider(DemandPlanner demands) {
        this.demands = demands;
        this.order = demands.startOrder();
    }

    Proposal propose(StartLease command, Lease lease, Instant now) {
        return switch (lease) {
            case Pending(LeaseTerms terms) -> startIfDue(terms, List.of(), now);
            case Delayed(LeaseTerms terms, List<ReservationId> awaited) ->
                    startIfDue(terms, awaited, now);
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _, Starting _, Active _, Failed _, Ending _, EndFailed _, Ended _ ->
                    nothingToDo();
        };
    }

    private Proposal startIfDue(LeaseTerms terms, List<ReservationId> awaited, Instant now) {
        if (now.isBefore(terms.period().start())) {
            return nothingToDo();
        }
        if (!now.isBefore(terms.period().end())) {
            // The timer of the end is due as well, and states that the window was missed.
            return nothingToDo();
        }
        return handOver(terms, awaited, StartDecider::needsStart, now, List.of());
    }

    /** Returns false for a reservation that runs, or was released before an import. */
    private static boolean needsStart(Reservation reservation) {
        return !reservation.isIn(Phase.ACTIVE, Phase.ADJUSTING, Phase.RELEASED);
    }

    /**
     * Returns the proposal of a hand-over.
     *
     * @param first the events of the decision before those of the hand-over
     */
    private Proposal handOver(
            LeaseTerms terms,
            List<ReservationId> awaited,
            Predicate<Reservation> which,
            Instant now,
            List<LeaseEvent> first) {
        LeasePeriod rest = new LeasePeriod(now, terms.period().end());
        List<Granted> granted =
                terms.reservations().stream()
                        .filter(which)
                        .map(
                                r ->
                                        new Granted(
                                                r.id(),
                                                demands.demandsOf(r.wish()),
                                                rest,
                                                r.allocations()))
                        .toList();
        return Proposal.of(
                new TakeUp(
                        terms.id(),
                        terms.project(),
                        granted,
                        !awaited.isEmpty(),
                        releases(terms) ? now : null),
                grant -> {
                    List<LeaseEvent> events = new ArrayList<>(first);
                    events.addAll(started(terms, awaited, grant));
                    return Decision.accepted(events);
                });
    }

    private List<LeaseEvent> started(
            LeaseTerms terms, List<ReservationId> awaited, Grant.OfTakeUp grant) {
        return switch (grant) {
            case Grant.TakenUp takenUp -> started(terms, takenUp);
            case Grant.Awaited(List<ReservationId> holders, String reason) ->
                    holders.equals(awaited)
                            ? List.of()
                            : List.of(new LeaseDelayed(terms.id(), holders, reason));
            case Grant.Unserviceable(ReservationId reservation, String reason) ->
                    startFailed(
                            terms,
                            reservation,
                            new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, reason));
        };
    }

    private List<LeaseEvent> started(LeaseTerms terms, Grant.TakenUp takenUp) {
        List<LeaseEvent> events =
                new ArrayList<>(OutageDecider.replacedEvents(terms, takenUp.replacements()));
        events.add(startEvent(terms, takenUp.tenures(), order));
        if (terms.reservations().isEmpty()) {
            events.add(new LeaseActivated(terms.id()));
        }
        return events;
    }

    /** Returns the start of reservations, some of which may have to wait for others. */
    static LeaseStarting startEvent(LeaseTerms terms, List<Tenure> tenures, StartOrder order) {
        List<ReservationId> waiting =
                tenures.stream()
                        .map(Tenure::reservation)
                        .filter(
                                id ->
                                        terms.find(id)
                                                .filter(r -> terms.waitsForStart(r, order))
                                                .isPresent())
                        .toList();
        return new LeaseStarting(terms.id(), tenures, SharedLeaseRules.orNull(waiting));
    }

    /** Returns the failed start, and the end of a lease that is released then. */
    private static List<LeaseEvent> startFailed(
            LeaseTerms terms, ReservationId reservation, Fault fault) {
        List<LeaseEvent> events = new ArrayList<>();
        events.add(new ReservationFailed(terms.id(), reservation, Action.START, fault));
        if (releases(terms)) {
            events.addAll(EndDecider.endingEvents(terms, EndCause.START_FAILED));
        }
        return events;
    }

    private static boolean releases(LeaseTerms terms) {
        return switch (terms.onFailure()) {
            case RELEASE -> true;
            case KEEP -> false;
        };
    }

    Proposal propose(ReportFault command, Lease lease, Instant now) {
        if (!(lease instanceof Living living)) {
            return SharedLeaseRules.notFound(command.leaseId());
        }
        LeaseTerms terms = living.terms();
        return switch (command.action()) {
            // It has no tenure, and does not affect a lease.
            case PREPARE -> nothingToDo();
            case START ->
                    isLive(living, command.tenure(), Phase.STARTING)
                            ? startFailed(terms, command, now)
                            : nothingToDo();
            case ADJUST ->
                    isLive(living, command.tenure(), Phase.ADJUSTING)
                            ? failed(command)
                            : nothingToDo();
            case BEFORE_END ->
                    isLive(living, command.tenure(), Phase.ACTIVE, Phase.ADJUSTING)
                            ? failed(command)
                            : nothingToDo();
            case END ->
                    EndDecider.isReleasing(living, command.tenure())
                            ? failed(command)
                            : nothingToDo();
        };
    }

    private Proposal startFailed(LeaseTerms terms, ReportFault command, Instant now) {
        Decision decision =
                Decision.accepted(
                        startFailed(terms, command.tenure().reservation(), command.fault()));
        return releases(terms)
                ? Proposal.of(new Shorten(terms.id(), terms.reservationIds(), now), _ -> decision)
                : Proposal.decided(decision);
    }

    private static Proposal failed(ReportFault command) {
        return Proposal.decided(
                Decision.accepted(
                        new ReservationFailed(
                                command.leaseId(),
                                command.tenure().reservation(),
                                command.action(),
                                command.fault())));
    }

    Proposal propose(RetryLease command, Lease lease, Instant now) {
        return switch (lease) {
            case Failed(LeaseTerms terms) -> retry(terms, now);
            case EndFailed failed -> EndDecider.retry(failed);
            case Active(LeaseTerms terms)
                    when terms.hasFailedResources() || terms.hasFailedRemovals() ->
                    Proposal.decided(Decision.accepted(restoreOrRemove(terms)));
            case Starting(LeaseTerms terms) when terms.hasFailedRemovals() ->
                    Proposal.decided(Decision.accepted(EndDecider.repeatRemovals(terms)));
            case Delayed(LeaseTerms terms, _) when terms.hasFailedRemovals() ->
                    Proposal.decided(Decision.accepted(EndDecider.repeatRemovals(terms)));
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _, Pending _, Delayed _, Starting _, Active _, Ending _, Ended _ ->
                    SharedLeaseRules.wrongStatus(lease, "retry");
        };
    }

    /** Restarts everything that does not run after a failed start, or repeats an adjustment. */
    private Proposal retry(LeaseTerms terms, Instant now) {
        if (!now.isBefore(terms.period().end())) {
            // As with a start that is due: its end is due as well.
            return nothingToDo();
        }
        if (terms.isAnyIn(Phase.START_FAILED)) {
            return handOver(
                    terms,
                    List.of(),
                    StartDecider::needsStart,
                    now,
                    EndDecider.repeatRemovals(terms));
        }
        List<LeaseEvent> events = EndDecider.repeatRemovals(terms);
        events.addAll(OutageDecider.repeatAdjustments(terms));
        return Proposal.decided(Decision.accepted(events));
    }

    private static List<LeaseEvent> restoreOrRemove(LeaseTerms terms) {
        List<LeaseEvent> events = EndDecider.repeatRemovals(terms);
        events.addAll(OutageDecider.restoreFailedResources(terms));
        return events;
    }

    /** Ignores a failure while the lease ends, because the end takes everything back. */
    private static boolean isLive(Living lease, Tenure tenure, Phase... phases) {
        return !ends(lease) && current(lease.terms(), tenure, phases).isPresent();
    }

    static boolean ends(Living lease) {
        return lease instanceof Ending || lease instanceof EndFailed;
    }

    /** Returns the reservation of a tenure, if it is in one of some phases. */
    static Optional<Reservation> current(LeaseTerms terms, Tenure tenure, Phase... phases) {
        return terms.find(tenure.reservation())
                .filter(r -> r.hasTenure(tenure))
                .filter(r -> r.isIn(phases));
    }
}
