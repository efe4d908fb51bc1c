package org.leasehold.command.lease;

import org.leasehold.command.lease.Reservation.Phase;
import org.leasehold.lease.EndCause;
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
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The state of a lease, built from its events. Each state has only data that is valid in it. */
sealed interface Lease {

    /** A lease that was not requested yet. */
    record Absent() implements Lease {}

    /** A lease that the calendar could not hold. */
    record Refused() implements Lease {}

    /** A lease that no longer exists for its project. */
    record Deleted() implements Lease {}

    /** A lease that its project sees. */
    sealed interface Living extends Lease {

        Terms terms();
    }

    /** A lease whose window has not begun. */
    record Pending(Terms terms) implements Living {}

    /** A lease whose window has begun, while other reservations still hold its resources. */
    record Delayed(Terms terms, List<ReservationId> awaited) implements Living {}

    /** A lease whose granted resources plug-ins prepare for the project. */
    record Starting(Terms terms) implements Living {}

    record Active(Terms terms) implements Living {}

    /** A lease whose granted resources a plug-in could not provide; it still ends on time. */
    record Failed(Terms terms) implements Living {}

    /** A lease whose resources plug-ins take back. */
    record Ending(Terms terms, EndCause cause) implements Living {}

    /** A lease whose resources a plug-in could not take back. */
    record EndFailed(Terms terms, EndCause cause) implements Living {}

    record Ended(Terms terms) implements Living {}

    /** Returns the project whose unfinished leases include this one; empty if none do. */
    default Optional<ProjectId> countsFor() {
        return switch (this) {
            case Absent _, Refused _, Deleted _, Ended _ -> Optional.empty();
            case Pending(Terms terms) -> Optional.of(terms.project());
            case Delayed(Terms terms, _) -> Optional.of(terms.project());
            case Starting(Terms terms) -> Optional.of(terms.project());
            case Active(Terms terms) -> Optional.of(terms.project());
            case Failed(Terms terms) -> Optional.of(terms.project());
            case Ending(Terms terms, _) -> Optional.of(terms.project());
            case EndFailed(Terms terms, _) -> Optional.of(terms.project());
        };
    }

    /**
     * Returns the lease after one more event.
     *
     * @throws CorruptHistory if the event cannot happen to this lease
     */
    static Lease evolve(Lease lease, LeaseEvent event) {
        return switch (event) {
            case LeaseRequested e -> new Pending(Terms.of(e));
            case LeaseRefused _ -> new Refused();
            case LeaseChangeRefused _ -> lease;
            case LeaseDeleted _ -> new Deleted();
            case LeaseImported e -> imported(terms(lease, event), e);
            case LeaseRenamed e -> with(lease, t -> t.named(e.name()));
            case LeaseRescheduled e -> with(lease, t -> t.rescheduled(e));
            case LeaseEndAnnounced _ -> with(lease, Terms::endAnnounced);
            case ReservationChanged e ->
                    with(lease, e.reservationId(), r -> r.wishing(e.parameters()));
            case ReservationAdded e -> with(lease, t -> t.with(e.reservation()));
            case ReservationGranted e ->
                    with(lease, e.reservationId(), r -> r.granted(e.allocations()));
            case ResourceReplaced e -> with(lease, e.reservationId(), r -> r.replaced(e));
            case LeaseDelayed e -> new Delayed(terms(lease, event), e.awaited());
            case LeaseStarting e -> new Starting(starting(terms(lease, event), e.tenures()));
            case ReservationActivated e -> with(lease, e.reservationId(), r -> r.in(Phase.ACTIVE));
            case LeaseActivated _ -> new Active(terms(lease, event));
            case ReservationAdjusting e -> adjusting(lease, e);
            case ReservationAdjusted e -> with(lease, e.reservationId(), Reservation::adjusted);
            case ReservationFailed e -> failed(lease, e);
            case ResourceFailed e -> with(lease, e.reservationId(), r -> r.failing(e.resourceId()));
            case ResourceRecovered e ->
                    with(lease, e.reservationId(), r -> r.recovering(e.resourceId()));
            case LeaseEnding e -> new Ending(renewed(terms(lease, event), e.tenures()), e.cause());
            case ReservationReleased e -> with(lease, e.reservationId(), Reservation::released);
            case LeaseEnded _ -> new Ended(terms(lease, event));
        };
    }

    private static Lease imported(Terms before, LeaseImported event) {
        Map<ReservationId, Tenure> byReservation = byReservation(event.tenures());
        Terms reached =
                before.each(
                        r ->
                                event.past()
                                        .of(r.id())
                                        .map(past -> r.in(past.stage(), byReservation.get(r.id())))
                                        .orElse(r));
        Terms terms = event.past().announced() ? reached.endAnnounced() : reached;
        return switch (event.past().stage()) {
            case PENDING -> new Pending(terms);
            case ACTIVE -> new Active(terms);
            case FAILED -> new Failed(terms);
            case ENDED -> new Ended(terms);
        };
    }

    private static Terms starting(Terms terms, List<Tenure> tenures) {
        Map<ReservationId, Tenure> byReservation = byReservation(tenures);
        return terms.each(
                r -> {
                    Tenure tenure = byReservation.get(r.id());
                    return tenure == null ? r : r.starting(tenure);
                });
    }

    private static Terms renewed(Terms terms, List<Tenure> tenures) {
        Map<ReservationId, Tenure> byReservation = byReservation(tenures);
        return terms.each(
                r -> {
                    Tenure tenure = byReservation.get(r.id());
                    return tenure == null ? r : r.renewed(tenure);
                });
    }

    private static Map<ReservationId, Tenure> byReservation(List<Tenure> tenures) {
        return tenures.stream().collect(Collectors.toMap(Tenure::reservation, Function.identity()));
    }

    /** Applies the adjustment; a failed lease recovers with its last failed reservation. */
    private static Lease adjusting(Lease lease, ReservationAdjusting event) {
        Lease adjusting = with(lease, event.tenure().reservation(), r -> r.adjusting(event));
        return adjusting instanceof Failed(Terms terms)
                        && !terms.anyIn(Phase.START_FAILED, Phase.ADJUSTMENT_FAILED)
                ? terms.anyIn(Phase.PENDING, Phase.STARTING)
                        ? new Starting(terms)
                        : new Active(terms)
                : adjusting;
    }

    private static Lease failed(Lease lease, ReservationFailed event) {
        Terms terms = terms(lease, event);
        return switch (event.action()) {
            case START ->
                    new Failed(terms.change(event.reservationId(), r -> r.in(Phase.START_FAILED)));
            case ADJUST ->
                    new Failed(
                            terms.change(
                                    event.reservationId(), r -> r.in(Phase.ADJUSTMENT_FAILED)));
            // The preparation was not done; the lease itself is unaffected.
            case PREPARE, BEFORE_END -> lease;
            case END -> endFailed(lease, terms, event);
        };
    }

    private static Lease endFailed(Lease lease, Terms terms, LeaseEvent event) {
        return switch (lease) {
            case Ending ending -> new EndFailed(terms, ending.cause());
            case EndFailed failed -> failed;
            case Absent _, Refused _, Deleted _ -> throw impossible(lease, event);
            case Pending _, Delayed _, Starting _, Active _, Failed _, Ended _ ->
                    throw impossible(lease, event);
        };
    }

    private static Terms terms(Lease lease, LeaseEvent event) {
        if (lease instanceof Living living) {
            return living.terms();
        }
        throw impossible(lease, event);
    }

    private static Lease with(
            Lease lease, ReservationId reservation, UnaryOperator<Reservation> change) {
        return with(lease, terms -> terms.change(reservation, change));
    }

    private static Lease with(Lease lease, UnaryOperator<Terms> change) {
        return switch (lease) {
            case Pending(Terms terms) -> new Pending(change.apply(terms));
            case Delayed(Terms terms, var awaited) -> new Delayed(change.apply(terms), awaited);
            case Starting(Terms terms) -> new Starting(change.apply(terms));
            case Active(Terms terms) -> new Active(change.apply(terms));
            case Failed(Terms terms) -> new Failed(change.apply(terms));
            case Ending(Terms terms, EndCause cause) -> new Ending(change.apply(terms), cause);
            case EndFailed(Terms terms, EndCause cause) ->
                    new EndFailed(change.apply(terms), cause);
            case Ended(Terms terms) -> new Ended(change.apply(terms));
            case Absent _, Refused _, Deleted _ ->
                    throw new CorruptHistory("Nothing happens to a lease that is " + lease);
        };
    }

    private static CorruptHistory impossible(Lease lease, LeaseEvent event) {
        return new CorruptHistory(event + " cannot happen to " + lease);
    }
}
