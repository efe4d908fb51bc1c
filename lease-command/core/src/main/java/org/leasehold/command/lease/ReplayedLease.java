package org.leasehold.command.lease;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
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
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A lease that is replayed outside the engine, with the same rules, on a given calendar, and
 * without storage. Immutable.
 */
public final class ReplayedLease {

    private final LeaseDecider decider;
    private final Lease lease;

    private ReplayedLease(LeaseDecider decider, Lease lease) {
        this.decider = decider;
        this.lease = lease;
    }

    /** Creates a lease that was not requested yet. */
    public static ReplayedLease absent(Plugins plugins) {
        return new ReplayedLease(LeaseDecider.forReplay(plugins), new Absent());
    }

    /** The stage of a lease, as far as it affects its next events. */
    public enum Stage {
        ABSENT,
        /** The calendar cannot hold the lease yet. */
        RETRYING,
        /** The lease waits for its start. */
        PENDING,
        RUNNING,
        FAILED,
        ENDING,
        /** The lease is refused, ended or deleted. */
        OVER
    }

    public Stage stage() {
        return switch (lease) {
            case Absent _ -> Stage.ABSENT;
            case Retrying _ -> Stage.RETRYING;
            case Pending _, Delayed _ -> Stage.PENDING;
            case Starting _, Active _ -> Stage.RUNNING;
            case Failed _ -> Stage.FAILED;
            case Ending _, EndFailed _ -> Stage.ENDING;
            case Refused _, Deleted _, Ended _ -> Stage.OVER;
        };
    }

    /** Returns the window; empty for a lease that does not exist. */
    public Optional<LeasePeriod> period() {
        return lease instanceof Living living
                ? Optional.of(living.terms().period())
                : Optional.empty();
    }

    /** Returns the request of a reservation; empty if the lease has none with this id. */
    public Optional<ReservationWish> findRequest(ReservationId reservation) {
        return lease instanceof Living living
                ? living.terms().find(reservation).map(Reservation::wish)
                : Optional.empty();
    }

    /** Returns the reservations that the lease has, without removed ones. */
    public List<ReservationId> reservations() {
        return lease instanceof Living living ? living.terms().reservationIds() : List.of();
    }

    /** Returns true while the cloud prepares the resources of a reservation. */
    public boolean isStarting(ReservationId reservation) {
        return lease instanceof Living living
                && living.terms()
                        .find(reservation)
                        .filter(found -> found.isIn(Phase.STARTING))
                        .isPresent();
    }

    /** Returns the present tenure of a reservation; empty if it holds nothing. */
    public Optional<Tenure> findTenure(ReservationId reservation) {
        return lease instanceof Living living
                ? living.terms().find(reservation).map(Reservation::tenure)
                : Optional.empty();
    }

    /** Returns the time of the next planned attempt; empty for a lease that is not retried. */
    public Optional<Instant> nextAttempt() {
        return lease instanceof Retrying(_, LeaseRetryScheduled last)
                ? Optional.of(last.plan().nextAttempt())
                : Optional.empty();
    }

    /** Returns the reservations whose release the lease awaits. */
    public List<ReservationId> awaited() {
        return lease instanceof Delayed(_, List<ReservationId> awaited) ? awaited : List.of();
    }

    /** Returns the events of a command; empty if it is rejected. */
    public List<LeaseEvent> decide(LeaseCommand command, Calendar calendar, Instant now) {
        Proposal proposal = decider.propose(command, lease, now);
        Decision decision =
                calendar.executeAndDecide(
                        proposal.request(),
                        proposal.decide(),
                        made -> !(made instanceof Decision.Rejected));
        return switch (decision) {
            case Decision.Accepted(List<LeaseEvent> events) -> events;
            case Decision.Refused(LeaseEvent event, _) -> List.of(event);
            case Decision.Rejected _ -> List.of();
        };
    }

    /** Returns the demands on the calendar for a command. */
    public List<Wanted> wanted(LeaseCommand command, Instant now) {
        return decider.propose(command, lease, now).request() instanceof Hold hold
                ? hold.wanted()
                : List.of();
    }

    public ReplayedLease after(LeaseEvent event) {
        return new ReplayedLease(decider, Lease.evolve(lease, event));
    }

    /** Returns the confirmations of a cloud that succeeds in everything at once. */
    public List<LeaseCommand> confirmations(LeaseId id) {
        List<LeaseCommand> confirmations = new ArrayList<>();
        if (lease instanceof Living living) {
            for (Reservation reservation : living.terms().reservations()) {
                Tenure tenure = reservation.tenure();
                if (tenure == null) {
                    continue;
                }
                if (stage() == Stage.ENDING) {
                    confirmations.add(new ConfirmRelease(id, tenure));
                } else if (reservation.isIn(Phase.STARTING)) {
                    confirmations.add(new ConfirmStart(id, tenure));
                } else if (reservation.isIn(Phase.ADJUSTING)) {
                    confirmations.add(new ConfirmAdjustment(id, tenure));
                }
            }
            for (Reservation removed : living.terms().removed()) {
                Tenure tenure = removed.tenure();
                if (tenure != null) {
                    confirmations.add(new ConfirmRelease(id, tenure));
                }
            }
        }
        return confirmations;
    }
}
