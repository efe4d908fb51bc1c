package org.leasehold.query.booking;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources of one lease at all times, computed from its events alone. There is one rule: a
 * decision replaces the future after its instant, and never the past. So a lease that ended early,
 * lost a host or was deleted keeps what it really had.
 */
public final class LeaseBookings {

    private final Map<ReservationId, ReservationBookings> reservations = new LinkedHashMap<>();
    private boolean ending;

    /**
     * Returns those of all events of a lease, or of its first ones.
     *
     * @param life the events of one lease, from the first one on
     */
    public static LeaseBookings of(List<RecordedEvent> life) {
        LeaseBookings bookings = new LeaseBookings();
        life.forEach(each -> bookings.apply((LeaseEvent) each.event(), each.decidedAt()));
        return bookings;
    }

    /**
     * Applies the next event of the lease.
     *
     * @return whether it may have changed the lease's resources
     */
    public boolean apply(LeaseEvent event, Instant decided) {
        // The precision of the database: a rebuild from stored events must give the same.
        Instant at = decided.truncatedTo(ChronoUnit.MICROS);
        switch (event) {
            case ReservationGranted granted ->
                    of(granted.reservationId()).grant(at, granted.period(), granted.allocations());
            case ResourceReplaced replaced ->
                    of(replaced.reservationId())
                            .replace(at, replaced.replaced(), replaced.replacement());
            case LeaseImported(_, LeasePast past, var tenures) ->
                    tenures.forEach(
                            tenure ->
                                    of(tenure.reservation())
                                            .resume(isActive(past, tenure.reservation())));
            case LeaseStarting(_, var tenures, _) ->
                    tenures.forEach(tenure -> of(tenure.reservation()).holdResources(at));
            case ReservationActivated activated -> of(activated.reservationId()).activate(at);
            case ReservationAdjusting(_, var tenure, var joining, _, _) ->
                    of(tenure.reservation()).holdResources(at, joining);
            case ReservationAdjusted(_, var reservation, var left, _, _) ->
                    of(reservation).applyAdjustment(at, left);
            case ReservationFailed failed -> fail(failed, at);
            case ResourceFailed(_, var reservation, var resource, _) ->
                    of(reservation).markDown(at, resource);
            case ResourceRecovered(_, var reservation, var resource) ->
                    of(reservation).markUp(at, resource);
            case LeaseEnding _ -> end(at);
            // It may be repeated after a fault, which changes nothing.
            case ReservationRemoved(_, var reservation, _) -> of(reservation).end(at);
            case ReservationReleased released -> release(of(released.reservationId()), at);
            case LeaseRequested _,
                    LeaseRefused _,
                    LeaseRetryScheduled _,
                    LeaseRenamed _,
                    LeaseRescheduled _,
                    ReservationChanged _,
                    ReservationAdded _,
                    LeaseChangeRefused _,
                    LeaseDelayed _,
                    LeaseActivated _,
                    LeaseEndAnnounced _,
                    LeaseEnded _,
                    LeaseDeleted _ -> {
                // A request, or a fact about the whole lease: its consequences are in other events.
                return false;
            }
        }
        return true;
    }

    private static boolean isActive(LeasePast past, ReservationId reservation) {
        return past.of(reservation)
                .filter(found -> found.stage() == LeasePast.Stage.ACTIVE)
                .isPresent();
    }

    /** Applies a fault: only a failed start has nothing; after others the old state continues. */
    private void fail(ReservationFailed event, Instant at) {
        if (event.action() == Action.START) {
            of(event.reservationId()).fail(at);
        }
    }

    /** Applies an end; after a fault it may be requested again, but it began only once. */
    private void end(Instant at) {
        if (!ending) {
            reservations.values().forEach(reservation -> reservation.end(at));
        }
        ending = true;
    }

    /** Applies a release; if an operator forced the end, the end never began. */
    private void release(ReservationBookings reservation, Instant at) {
        if (!ending) {
            reservation.end(at);
        }
        reservation.release(at);
    }

    private ReservationBookings of(ReservationId reservation) {
        return reservations.computeIfAbsent(reservation, _ -> new ReservationBookings());
    }

    /**
     * Returns everything, by reservation and resource, each in the order of time; the future as far
     * as it was decided.
     */
    public List<AllocationPeriod> periods() {
        return reservations.entrySet().stream()
                .flatMap(each -> each.getValue().periods(each.getKey()))
                .toList();
    }
}
