package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
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
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

        LeaseTerms terms();
    }

    /** A lease that the calendar cannot hold yet, and whose request is retried. */
    record Retrying(LeaseTerms terms, LeaseRetryScheduled last) implements Living {

        static Retrying of(LeaseRetryScheduled event) {
            return new Retrying(LeaseTerms.of(event), event);
        }
    }

    /** A lease whose window has not begun. */
    record Pending(LeaseTerms terms) implements Living {}

    /** A lease whose window has begun, while other reservations still hold its resources. */
    record Delayed(LeaseTerms terms, List<ReservationId> awaited) implements Living {}

    /** A lease whose granted resources plug-ins prepare for the project. */
    record Starting(LeaseTerms terms) implements Living {}

    record Active(LeaseTerms terms) implements Living {}

    /** A lease whose granted resources a plug-in could not provide; it still ends on time. */
    record Failed(LeaseTerms terms) implements Living {}

    /** A lease whose resources plug-ins take back. */
    record Ending(LeaseTerms terms, EndCause cause) implements Living {}

    /** A lease whose resources a plug-in could not take back. */
    record EndFailed(LeaseTerms terms, EndCause cause) implements Living {}

    record Ended(LeaseTerms terms) implements Living {}

    /** Returns the project whose unfinished leases include this one; empty if none do. */
    default Optional<ProjectId> countedProject() {
        return switch (this) {
            case Absent _, Refused _, Deleted _, Ended _ -> Optional.empty();
            case Retrying(LeaseTerms terms, _) -> Optional.of(terms.project());
            case Pending(LeaseTerms terms) -> Optional.of(terms.project());
            case Delayed(LeaseTerms terms, _) -> Optional.of(terms.project());
            case Starting(LeaseTerms terms) -> Optional.of(terms.project());
            case Active(LeaseTerms terms) -> Optional.of(terms.project());
            case Failed(LeaseTerms terms) -> Optional.of(terms.project());
            case Ending(LeaseTerms terms, _) -> Optional.of(terms.project());
            case EndFailed(LeaseTerms terms, _) -> Optional.of(terms.project());
        };
    }

    /** Returns the project whose retried leases include this one; empty if none do. */
    default Optional<ProjectId> retriedProject() {
        return this instanceof Retrying(LeaseTerms terms, _)
                ? Optional.of(terms.project())
                : Optional.empty();
    }

    /**
     * Returns the lease after one more event.
     *
     * @throws CorruptLeaseHistory if the event cannot happen to this lease
     */
    static Lease evolve(Lease lease, LeaseEvent event) {
        return switch (event) {
            case LeaseRequested e -> new Pending(LeaseTerms.of(e));
            case LeaseRefused _ -> new Refused();
            case LeaseRetryScheduled e -> Retrying.of(e);
            case LeaseChangeRefused _ -> lease;
            case LeaseDeleted _ -> new Deleted();
            case LeaseImported e -> imported(terms(lease, event), e);
            case LeaseRenamed e -> with(lease, t -> t.named(e.name()));
            case LeaseRescheduled e -> with(lease, t -> t.rescheduled(e));
            case LeaseEndAnnounced _ -> with(lease, LeaseTerms::endAnnounced);
            case ReservationChanged e ->
                    with(lease, e.reservationId(), r -> r.withParameters(e.parameters()));
            case ReservationAdded e -> with(lease, t -> t.withReservation(e.reservation()));
            case ReservationRemoved e -> with(lease, t -> t.withoutReservation(e.reservationId()));
            case ReservationGranted e ->
                    with(lease, e.reservationId(), r -> r.withAllocations(e.allocations()));
            case ResourceReplaced e -> with(lease, e.reservationId(), r -> r.replaced(e));
            case LeaseDelayed e -> new Delayed(terms(lease, event), e.awaited());
            case LeaseStarting e -> new Starting(startReservations(terms(lease, event), e));
            case ReservationActivated e ->
                    with(
                            with(lease, e.reservationId(), r -> r.withPhase(Phase.ACTIVE)),
                            terms -> startNext(terms, e.next()));
            case LeaseActivated _ -> new Active(terms(lease, event).activated());
            case ReservationAdjusting e -> applyAdjustment(lease, e);
            case ReservationAdjusted e ->
                    with(
                            with(lease, e.reservationId(), Reservation::adjusted),
                            terms -> startNext(terms, e.next()));
            case ReservationFailed e -> applyFailure(lease, e);
            case ResourceFailed e ->
                    with(lease, e.reservationId(), r -> r.withFailedResource(e.resourceId()));
            case ResourceRecovered e ->
                    with(lease, e.reservationId(), r -> r.withoutFailedResource(e.resourceId()));
            case LeaseEnding e ->
                    new Ending(renewTenures(terms(lease, event), e.tenures()), e.cause());
            case ReservationReleased e -> with(lease, t -> t.released(e.reservationId()));
            case LeaseEnded _ -> new Ended(terms(lease, event));
        };
    }

    private static Lease imported(LeaseTerms before, LeaseImported event) {
        Map<ReservationId, Tenure> byReservation = byReservation(event.tenures());
        LeaseTerms reached =
                before.updateAll(
                        r ->
                                event.past()
                                        .of(r.id())
                                        .map(
                                                past ->
                                                        r.withPhase(
                                                                past.stage(),
                                                                byReservation.get(r.id())))
                                        .orElse(r));
        LeaseTerms terms = event.past().announced() ? reached.endAnnounced() : reached;
        return switch (event.past().stage()) {
            case PENDING -> new Pending(terms);
            case ACTIVE -> new Active(terms);
            case FAILED -> new Failed(terms);
            case ENDED -> new Ended(terms);
        };
    }

    private static LeaseTerms startReservations(LeaseTerms terms, LeaseStarting event) {
        Map<ReservationId, Tenure> byReservation = byReservation(event.tenures());
        Set<ReservationId> waiting =
                event.waiting() == null ? Set.of() : Set.copyOf(event.waiting());
        return terms.updateAll(
                r -> {
                    Tenure tenure = byReservation.get(r.id());
                    if (tenure == null) {
                        return r;
                    }
                    return waiting.contains(r.id()) ? r.waiting(tenure) : r.starting(tenure);
                });
    }

    private static LeaseTerms startNext(LeaseTerms terms, @Nullable List<Tenure> next) {
        LeaseTerms started = terms;
        for (Tenure tenure : next == null ? List.<Tenure>of() : next) {
            started = started.updateReservation(tenure.reservation(), r -> r.starting(tenure));
        }
        return started;
    }

    private static LeaseTerms renewTenures(LeaseTerms terms, List<Tenure> tenures) {
        Map<ReservationId, Tenure> byReservation = byReservation(tenures);
        return terms.updateAll(
                r -> {
                    Tenure tenure = byReservation.get(r.id());
                    return tenure == null ? r : r.withTenure(tenure);
                });
    }

    private static Map<ReservationId, Tenure> byReservation(List<Tenure> tenures) {
        return tenures.stream().collect(Collectors.toMap(Tenure::reservation, Function.identity()));
    }

    /** Applies the adjustment; a failed lease recovers with its last failed reservation. */
    private static Lease applyAdjustment(Lease lease, ReservationAdjusting event) {
        Lease adjusting = with(lease, event.tenure().reservation(), r -> r.adjusting(event));
        return adjusting instanceof Failed(LeaseTerms terms)
                        && !terms.isAnyIn(Phase.START_FAILED, Phase.ADJUSTMENT_FAILED)
                ? terms.isAnyIn(Phase.PENDING, Phase.WAITING, Phase.STARTING)
                        ? new Starting(terms)
                        : new Active(terms)
                : adjusting;
    }

    private static Lease applyFailure(Lease lease, ReservationFailed event) {
        LeaseTerms terms = terms(lease, event);
        return switch (event.action()) {
            case START ->
                    new Failed(
                            terms.updateReservation(
                                    event.reservationId(), r -> r.withPhase(Phase.START_FAILED)));
            case ADJUST ->
                    new Failed(
                            terms.updateReservation(
                                    event.reservationId(),
                                    r -> r.withPhase(Phase.ADJUSTMENT_FAILED)));
            // The preparation was not done; the lease itself is unaffected.
            case PREPARE, BEFORE_END -> lease;
            case END -> endFailed(lease, terms, event);
        };
    }

    private static Lease endFailed(Lease lease, LeaseTerms terms, ReservationFailed event) {
        return switch (lease) {
            case Ending ending -> new EndFailed(terms, ending.cause());
            case EndFailed failed -> failed;
            case Pending _, Delayed _, Starting _, Active _, Failed _ ->
                    removalFailed(lease, terms, event);
            case Absent _, Refused _, Deleted _, Retrying _, Ended _ ->
                    throw impossibleEvent(lease, event);
        };
    }

    /** Applies the failure to take a removed reservation back; the lease itself is unaffected. */
    private static Lease removalFailed(Lease lease, LeaseTerms terms, ReservationFailed event) {
        if (terms.findRemoved(event.reservationId()).isEmpty()) {
            throw impossibleEvent(lease, event);
        }
        return with(
                lease,
                t ->
                        t.updateRemoved(
                                event.reservationId(), r -> r.withPhase(Phase.REMOVAL_FAILED)));
    }

    private static LeaseTerms terms(Lease lease, LeaseEvent event) {
        if (lease instanceof Living living && !(lease instanceof Retrying)) {
            return living.terms();
        }
        throw impossibleEvent(lease, event);
    }

    private static Lease with(
            Lease lease, ReservationId reservation, UnaryOperator<Reservation> change) {
        return with(lease, terms -> terms.updateReservation(reservation, change));
    }

    private static Lease with(Lease lease, UnaryOperator<LeaseTerms> change) {
        return switch (lease) {
            case Pending(LeaseTerms terms) -> new Pending(change.apply(terms));
            case Delayed(LeaseTerms terms, var awaited) ->
                    new Delayed(change.apply(terms), awaited);
            case Starting(LeaseTerms terms) -> new Starting(change.apply(terms));
            case Active(LeaseTerms terms) -> new Active(change.apply(terms));
            case Failed(LeaseTerms terms) -> new Failed(change.apply(terms));
            case Ending(LeaseTerms terms, EndCause cause) -> new Ending(change.apply(terms), cause);
            case EndFailed(LeaseTerms terms, EndCause cause) ->
                    new EndFailed(change.apply(terms), cause);
            case Ended(LeaseTerms terms) -> new Ended(change.apply(terms));
            case Absent _, Refused _, Retrying _, Deleted _ ->
                    throw new CorruptLeaseHistory("Nothing happens to a lease that is " + lease);
        };
    }

    private static CorruptLeaseHistory impossibleEvent(Lease lease, LeaseEvent event) {
        return new CorruptLeaseHistory(event + " cannot happen to " + lease);
    }

    /** Signals stored events of a lease in an impossible order: a defect, never a rejection. */
    final class CorruptLeaseHistory extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CorruptLeaseHistory(String message) {
            super(message);
        }
    }
}
