package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.nothingToDo;

import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
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
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides the end of a lease: on time, early, by force or by deletion. */
final class EndDecider {

    Proposal propose(AnnounceEnd command, Lease lease, Instant now) {
        return switch (lease) {
            case Pending(LeaseTerms terms) -> announce(terms, now);
            case Delayed(LeaseTerms terms, _) -> announce(terms, now);
            case Starting(LeaseTerms terms) -> announce(terms, now);
            case Active(LeaseTerms terms) -> announce(terms, now);
            case Failed(LeaseTerms terms) -> announce(terms, now);
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _, Ending _, EndFailed _, Ended _ -> nothingToDo();
        };
    }

    private static Proposal announce(LeaseTerms terms, Instant now) {
        Instant beforeEnd = terms.beforeEnd();
        boolean due =
                beforeEnd != null
                        && !now.isBefore(beforeEnd)
                        && !beforeEnd.equals(terms.announced());
        return due
                ? Proposal.decided(Decision.accepted(new LeaseEndAnnounced(terms.id())))
                : nothingToDo();
    }

    Proposal propose(EndLease command, Lease lease, Instant now) {
        boolean early = command.cause() != EndCause.WINDOW_OVER;
        return switch (lease) {
            case Pending(LeaseTerms terms) -> end(terms, causeBeforeStart(command), early, now);
            case Delayed(LeaseTerms terms, _) -> end(terms, causeBeforeStart(command), early, now);
            case Starting(LeaseTerms terms) -> end(terms, command.cause(), early, now);
            case Active(LeaseTerms terms) -> end(terms, command.cause(), early, now);
            case Failed(LeaseTerms terms) -> end(terms, command.cause(), early, now);
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _ -> SharedLeaseRules.wrongStatus(lease, "end");
            case Ending _, EndFailed _, Ended _ -> nothingToDo();
        };
    }

    /** Returns MISSED for a window that is over before its lease could start. */
    private static EndCause causeBeforeStart(EndLease command) {
        return command.cause() == EndCause.WINDOW_OVER ? EndCause.MISSED : command.cause();
    }

    private static Proposal end(LeaseTerms terms, EndCause cause, boolean early, Instant now) {
        return early || !now.isBefore(terms.period().end())
                ? end(terms, cause, now)
                : nothingToDo();
    }

    Proposal propose(DeleteLease command, Lease lease, Instant now) {
        return switch (lease) {
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            // It holds nothing, neither in the calendar nor in the cloud.
            case Retrying(LeaseTerms terms, _) ->
                    Proposal.decided(Decision.accepted(new LeaseDeleted(terms.id())));
            case Pending(LeaseTerms terms) -> end(terms, EndCause.DELETED, now);
            case Delayed(LeaseTerms terms, _) -> end(terms, EndCause.DELETED, now);
            case Starting(LeaseTerms terms) -> end(terms, EndCause.DELETED, now);
            case Active(LeaseTerms terms) -> end(terms, EndCause.DELETED, now);
            case Failed(LeaseTerms terms) -> end(terms, EndCause.DELETED, now);
            case Ending(LeaseTerms terms, EndCause cause) -> deleteWhenOver(terms, cause);
            case EndFailed(LeaseTerms terms, _) -> repeatRelease(terms, EndCause.DELETED);
            case Ended(LeaseTerms terms) ->
                    Proposal.decided(Decision.accepted(new LeaseDeleted(terms.id())));
        };
    }

    private static Proposal deleteWhenOver(LeaseTerms terms, EndCause cause) {
        return cause == EndCause.DELETED ? nothingToDo() : repeatRelease(terms, EndCause.DELETED);
    }

    /** Lets the plug-ins repeat the release. */
    private static Proposal repeatRelease(LeaseTerms terms, EndCause cause) {
        return Proposal.decided(
                Decision.accepted(new LeaseEnding(terms.id(), cause, terms.tenures())));
    }

    static Proposal retry(EndFailed failed) {
        return repeatRelease(failed.terms(), failed.cause());
    }

    /** Frees the calendar at once; a lease that holds nothing in the cloud also ends at once. */
    private static Proposal end(LeaseTerms terms, EndCause cause, Instant now) {
        Decision decision = Decision.accepted(endingEvents(terms, cause));
        return hasNothingToShorten(terms, now)
                ? Proposal.decided(decision)
                : Proposal.of(new Shorten(terms.id(), terms.reservationIds(), now), _ -> decision);
    }

    /** Returns the begin of an end, for which the calendar shortens the claims of the lease. */
    static List<LeaseEvent> endingEvents(LeaseTerms terms, EndCause cause) {
        List<LeaseEvent> events = new ArrayList<>();
        events.add(new LeaseEnding(terms.id(), cause, terms.tenures()));
        terms.reservations().stream()
                .filter(r -> !r.hasResources() && !r.isIn(Phase.RELEASED))
                .forEach(r -> events.add(new ReservationReleased(terms.id(), r.id())));
        if (terms.tenures().isEmpty()) {
            events.addAll(endEvents(terms, cause));
        }
        return events;
    }

    /** Returns true if nothing is left to shorten: the cleaning is claimed already. */
    private static boolean hasNothingToShorten(LeaseTerms terms, Instant now) {
        return !now.isBefore(terms.period().end())
                && terms.reservations().stream().allMatch(Reservation::hasResources);
    }

    private static List<LeaseEvent> endEvents(LeaseTerms terms, EndCause cause) {
        LeaseEvent ended = new LeaseEnded(terms.id(), cause);
        return cause == EndCause.DELETED
                ? List.of(ended, new LeaseDeleted(terms.id()))
                : List.of(ended);
    }

    Proposal propose(ConfirmRelease command, Lease lease) {
        return switch (lease) {
            case Ending(LeaseTerms terms, EndCause cause) -> confirmRelease(command, terms, cause);
            case EndFailed(LeaseTerms terms, EndCause cause) ->
                    confirmRelease(command, terms, cause);
            case Pending(LeaseTerms terms) -> confirmRemoval(command, terms);
            case Delayed(LeaseTerms terms, _) -> confirmRemoval(command, terms);
            case Starting(LeaseTerms terms) -> confirmRemoval(command, terms);
            case Active(LeaseTerms terms) -> confirmRemoval(command, terms);
            case Failed(LeaseTerms terms) -> confirmRemoval(command, terms);
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _, Ended _ -> nothingToDo();
        };
    }

    private static Proposal confirmRelease(
            ConfirmRelease command, LeaseTerms terms, EndCause cause) {
        ReservationId id = command.tenure().reservation();
        return terms.find(id)
                .or(() -> terms.findRemoved(id))
                .filter(r -> r.hasTenure(command.tenure()))
                .map(_ -> letGo(terms, id, endIfReleased(terms.released(id), cause)))
                .orElseGet(SharedLeaseRules::nothingToDo);
    }

    private static List<LeaseEvent> endIfReleased(LeaseTerms after, EndCause cause) {
        return after.isReleased() ? endEvents(after, cause) : List.of();
    }

    /** Confirms the release of a removed reservation of a lease that goes on. */
    private static Proposal confirmRemoval(ConfirmRelease command, LeaseTerms terms) {
        ReservationId id = command.tenure().reservation();
        return terms.findRemoved(id)
                .filter(r -> r.hasTenure(command.tenure()))
                .map(_ -> letGo(terms, id, List.of()))
                .orElseGet(SharedLeaseRules::nothingToDo);
    }

    private static Proposal letGo(
            LeaseTerms terms, ReservationId reservation, List<LeaseEvent> then) {
        List<LeaseEvent> events = new ArrayList<>();
        events.add(new ReservationReleased(terms.id(), reservation));
        events.addAll(then);
        Decision decision = Decision.accepted(events);
        return Proposal.of(new LetGo(reservation, Set.of()), _ -> decision);
    }

    /** Returns the removals that a plug-in could not finish; they are repeated. */
    static List<LeaseEvent> repeatRemovals(LeaseTerms terms) {
        List<LeaseEvent> events = new ArrayList<>();
        terms.removed().stream()
                .filter(r -> r.isIn(Phase.REMOVAL_FAILED))
                .forEach(r -> events.add(new ReservationRemoved(terms.id(), r.id(), r.tenure())));
        return events;
    }

    /** Returns whether a plug-in takes the resources of a tenure back, and has not failed yet. */
    static boolean isReleasing(Living lease, Tenure tenure) {
        LeaseTerms terms = lease.terms();
        Optional<Reservation> removed =
                terms.findRemoved(tenure.reservation()).filter(r -> r.hasTenure(tenure));
        return lease instanceof Ending
                ? removed.isPresent() || hasTenure(terms, tenure)
                : !(lease instanceof EndFailed)
                        && removed.filter(r -> r.isIn(Phase.REMOVED)).isPresent();
    }

    private static boolean hasTenure(LeaseTerms terms, Tenure tenure) {
        return terms.find(tenure.reservation()).filter(r -> r.hasTenure(tenure)).isPresent();
    }

    Proposal propose(ForceEnd command, Lease lease, Instant now) {
        return switch (lease) {
            case Ending(LeaseTerms terms, EndCause cause) -> force(terms, cause, now);
            case EndFailed(LeaseTerms terms, EndCause cause) -> force(terms, cause, now);
            case Starting(LeaseTerms terms) -> force(terms, EndCause.FORCED, now);
            case Active(LeaseTerms terms) -> force(terms, EndCause.FORCED, now);
            case Failed(LeaseTerms terms) -> force(terms, EndCause.FORCED, now);
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _, Pending _, Delayed _, Ended _ ->
                    SharedLeaseRules.wrongStatus(lease, "force the end");
        };
    }

    private static Proposal force(LeaseTerms terms, EndCause cause, Instant now) {
        List<LeaseEvent> events = new ArrayList<>();
        terms.unreleased().stream()
                .filter(r -> !r.isIn(Phase.RELEASED))
                .forEach(r -> events.add(new ReservationReleased(terms.id(), r.id())));
        events.add(new LeaseEnded(terms.id(), EndCause.FORCED));
        if (cause == EndCause.DELETED) {
            events.add(new LeaseDeleted(terms.id()));
        }
        Decision decision = Decision.accepted(events);
        return Proposal.of(new GiveUp(terms.id(), terms.reservationIds(), now), _ -> decision);
    }
}
