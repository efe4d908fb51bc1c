package org.leasehold.command.lease;

import static org.leasehold.command.lease.DateRules.orElse;
import static org.leasehold.command.lease.SharedLeaseRules.later;
import static org.leasehold.command.lease.SharedLeaseRules.rejected;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.lease.DemandPlanner.Reading;
import org.leasehold.command.lease.DemandPlanner.Reading.Clear;
import org.leasehold.command.lease.DemandPlanner.Reading.Unclear;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.command.lease.GrantedChangeDecider.Replan;
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
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LastReservation;
import org.leasehold.lease.LeaseRejection.ReservationNeeded;
import org.leasehold.lease.LeaseRejection.UnknownRemoval;
import org.leasehold.lease.LeaseRejection.UnknownReservations;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.StartOrder;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides changes of a lease: rename, prolong, reduce, advance, defer, grow, shrink, add or remove
 * reservations, all or none.
 */
final class ChangeDecider {

    /** The smallest rest of a lease that is reduced to the current minute: no window is empty. */
    private static final Duration MIN_REMAINING_TIME = Duration.ofSeconds(1);

    private final DemandPlanner demands;
    private final DateRules dates;
    private final int maxReservations;

    ChangeDecider(DemandPlanner demands, DateRules dates, int maxReservations) {
        this.demands = demands;
        this.dates = dates;
        this.maxReservations = maxReservations;
    }

    Proposal propose(ChangeLease command, Lease lease, Instant now) {
        return switch (lease) {
            case Absent _, Refused _, Deleted _ -> SharedLeaseRules.notFound(command.leaseId());
            case Retrying _ -> SharedLeaseRules.wrongStatus(lease, "change");
            case Pending(LeaseTerms terms) -> checkAndReplan(command, lease, terms, now);
            case Delayed(LeaseTerms terms, _) -> checkAndReplan(command, lease, terms, now);
            case Starting(LeaseTerms terms) -> checkAndReplan(command, lease, terms, now);
            case Active(LeaseTerms terms) -> checkAndReplan(command, lease, terms, now);
            case Failed(LeaseTerms terms) -> checkAndReplan(command, lease, terms, now);
            case Ending(LeaseTerms terms, _) -> checkAndReplan(command, lease, terms, now);
            case EndFailed(LeaseTerms terms, _) -> checkAndReplan(command, lease, terms, now);
            case Ended(LeaseTerms terms) -> checkAndReplan(command, lease, terms, now);
        };
    }

    private Proposal checkAndReplan(
            ChangeLease command, Lease lease, LeaseTerms terms, Instant now) {
        String name = command.name();
        Optional<LeaseRejection> badName =
                name == null ? Optional.empty() : SharedLeaseRules.checkName(name);
        if (badName.isPresent()) {
            return rejected(badName.get());
        }
        List<ReservationWish> further = newReservations(command, terms);
        if (further.isEmpty() && isRenameOnly(command)) {
            return Proposal.decided(Decision.accepted(renamed(command, terms)));
        }
        if (!(lease instanceof Pending
                || lease instanceof Delayed
                || lease instanceof Active
                || lease instanceof Failed
                || lease instanceof Ended)) {
            return SharedLeaseRules.wrongStatus(lease, "change");
        }
        return dates.check(command, lease, terms, now)
                .or(() -> checkRemovals(command, further, terms))
                .or(
                        () ->
                                further.isEmpty()
                                        ? Optional.empty()
                                        : checkAdditions(
                                                further,
                                                lease,
                                                terms.withoutReservations(command.removed())))
                .map(SharedLeaseRules::rejected)
                .orElseGet(() -> replan(command, further, lease, terms, now));
    }

    private static boolean isRenameOnly(ChangeLease command) {
        return command.start() == null
                && command.end() == null
                && command.beforeEnd() == null
                && command.reservations().isEmpty()
                && command.removed().isEmpty();
    }

    /** Omits reservations that the lease has or had: the caller missed the first response. */
    private static List<ReservationWish> newReservations(ChangeLease command, LeaseTerms terms) {
        return command.further().stream().filter(wish -> !terms.hasKnown(wish.id())).toList();
    }

    /**
     * Checks the lease as it is after the exchange: reservations that leave together, or join in
     * the same change, do not need each other.
     */
    private Optional<LeaseRejection> checkRemovals(
            ChangeLease command, List<ReservationWish> further, LeaseTerms terms) {
        for (int index = 0; index < command.removed().size(); index++) {
            ReservationId removed = command.removed().get(index);
            if (terms.find(removed).isEmpty()) {
                return Optional.of(new UnknownRemoval(index, removed));
            }
        }
        LeaseTerms remaining = terms.withoutReservations(command.removed());
        if (!command.removed().isEmpty()
                && remaining.areAllIn(Phase.RELEASED)
                && further.isEmpty()) {
            return Optional.of(new LastReservation(command.removed().getLast()));
        }
        return command.removed().stream()
                .flatMap(id -> terms.find(id).stream())
                .flatMap(removed -> findDependent(removed, remaining).stream())
                .findFirst();
    }

    private Optional<LeaseRejection> findDependent(Reservation removed, LeaseTerms remaining) {
        StartOrder order = demands.startOrder();
        return remaining.reservations().stream()
                .filter(other -> !other.isIn(Phase.RELEASED))
                .filter(other -> order.isAfter(other.kind(), removed.kind()))
                .findFirst()
                .map(other -> new ReservationNeeded(removed.id(), other.id()));
    }

    /** Rejects new reservations for a lease in error, because they would hide the error. */
    private Optional<LeaseRejection> checkAdditions(
            List<ReservationWish> further, Lease lease, LeaseTerms terms) {
        return lease instanceof Failed
                ? Optional.of(new WrongStatus("Failed", "take a further reservation"))
                : SharedLeaseRules.checkReservationCount(
                        terms.unreleased().size() + further.size(), maxReservations);
    }

    private static List<LeaseEvent> renamed(ChangeLease command, LeaseTerms terms) {
        String name = command.name();
        return name == null || name.equals(terms.name())
                ? List.of()
                : List.of(new LeaseRenamed(terms.id(), name));
    }

    private Proposal replan(
            ChangeLease command,
            List<ReservationWish> further,
            Lease lease,
            LeaseTerms before,
            Instant now) {
        LeaseTerms terms = before.withoutReservations(command.removed());
        LeasePeriod period =
                new LeasePeriod(
                        orElse(command.start(), terms.period().start()),
                        later(
                                orElse(command.end(), terms.period().end()),
                                now.plus(MIN_REMAINING_TIME)));
        Instant beforeEnd = beforeEnd(command, terms, period);
        Optional<LeaseRejection> outside = SharedLeaseRules.checkBeforeEnd(beforeEnd, period);
        if (outside.isPresent()) {
            return rejected(outside.get());
        }
        Map<ReservationId, Understood> changed = new LinkedHashMap<>();
        Optional<LeaseRejection> unclear =
                readRequests(command, terms, changed).or(() -> readRequests(further, changed));
        if (unclear.isPresent()) {
            return rejected(unclear.get());
        }
        if (terms.reservations().stream()
                .anyMatch(r -> changed.containsKey(r.id()) && waits(r, terms, changed))) {
            // Its adjustment would run before the start of what it waits for.
            return SharedLeaseRules.wrongStatus(lease, "change a reservation that waits");
        }
        Replan replan =
                new Replan(
                        lease,
                        terms,
                        further.stream()
                                .reduce(terms, LeaseTerms::withReservation, (_, last) -> last),
                        renamed(command, before),
                        GrantedChangeDecider.removalEvents(before, command.removed()),
                        period,
                        beforeEnd,
                        changed,
                        now);
        Shorten removal =
                command.removed().isEmpty()
                        ? null
                        : new Shorten(
                                terms.id(), command.removed().stream().distinct().toList(), now);
        if (replan.needsCalendar()) {
            return Proposal.of(
                    new Hold(terms.id(), terms.project(), wanted(replan), removal),
                    grant -> replan.decide(grant, demands.startOrder()));
        }
        Decision decision = replan.recovered(Decision.accepted(replan.events()));
        return removal == null ? Proposal.decided(decision) : Proposal.of(removal, _ -> decision);
    }

    /** Returns whether a reservation may not start yet, so that an adjustment must not start it. */
    private boolean waits(
            Reservation reservation, LeaseTerms terms, Map<ReservationId, Understood> changed) {
        if (reservation.isIn(Phase.WAITING)) {
            return true;
        }
        if (!reservation.hasResources()
                || !reservation.isIn(Phase.START_FAILED, Phase.ADJUSTMENT_FAILED)) {
            return false;
        }
        StartOrder order = demands.startOrder();
        return terms.waitsForStart(reservation, order)
                || terms.reservations().stream()
                        .filter(other -> changed.containsKey(other.id()))
                        .anyMatch(other -> order.isAfter(reservation.kind(), other.kind()));
    }

    private Optional<LeaseRejection> readRequests(
            List<ReservationWish> further, Map<ReservationId, Understood> changed) {
        return switch (demands.read(further)) {
            case Unclear(LeaseRejection rejection) -> Optional.of(rejection);
            case Clear(List<Understood> wishes) -> {
                wishes.forEach(wish -> changed.put(wish.wish().id(), wish));
                yield Optional.empty();
            }
        };
    }

    /** Collects the changed requests; omits a reservation that is named but not changed. */
    private Optional<LeaseRejection> readRequests(
            ChangeLease command, LeaseTerms terms, Map<ReservationId, Understood> changed) {
        List<String> unknown =
                command.reservations().stream()
                        .map(ReservationChange::id)
                        .filter(id -> terms.find(id).isEmpty())
                        .map(ReservationId::toString)
                        .toList();
        if (!unknown.isEmpty()) {
            return Optional.of(new UnknownReservations(unknown));
        }
        for (int index = 0; index < command.reservations().size(); index++) {
            ReservationChange change = command.reservations().get(index);
            Reservation reservation = terms.find(change.id()).orElseThrow();
            Reading reading = demands.read(index, reservation, change.parameters());
            switch (reading) {
                case Unclear(LeaseRejection rejection) -> {
                    return Optional.of(rejection);
                }
                case Clear(List<Understood> wishes) -> {
                    if (!wishes.getFirst().wish().equals(reservation.wish())) {
                        changed.put(reservation.id(), wishes.getFirst());
                    }
                }
            }
        }
        return Optional.empty();
    }

    private List<Wanted> wanted(Replan replan) {
        List<Wanted> wanted = new ArrayList<>();
        for (Reservation reservation : replan.joined().reservations()) {
            List<org.leasehold.inventory.ResourceId> current =
                    reservation.allocations().stream().map(Allocation::resource).toList();
            Understood changed = replan.changed().get(reservation.id());
            List<Demand> wished =
                    changed == null
                            // Another window is no reason to grant more resources than now.
                            ? demands.demandsOf(reservation.wish()).stream()
                                    .map(demand -> demand.upTo(current.size()))
                                    .toList()
                            : changed.demands();
            boolean running = reservation.hasResources() || replan.startsImmediately(reservation);
            boolean adjusts =
                    reservation.hasResources()
                            && changed != null
                            && demands.needsAdjustment(reservation.wish(), changed.wish());
            for (Demand demand : wished) {
                wanted.add(
                        new Wanted(
                                reservation.id(),
                                demand,
                                replan.claimPeriod(),
                                current,
                                running,
                                adjusts));
            }
        }
        return wanted;
    }

    /** Returns the set time, or keeps the old distance to the end, within the window. */
    private static @Nullable Instant beforeEnd(
            ChangeLease command, LeaseTerms terms, LeasePeriod period) {
        Instant old = terms.beforeEnd();
        if (command.beforeEnd() != null || old == null) {
            return command.beforeEnd();
        }
        Duration distance = Duration.between(old, terms.period().end());
        return later(period.end().minus(distance), period.start());
    }
}
