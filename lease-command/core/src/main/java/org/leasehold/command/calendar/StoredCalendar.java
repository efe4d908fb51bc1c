package org.leasehold.command.calendar;

import org.leasehold.calendar.Tenures;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The calendar in tables, whose exclusion constraint is the last word on who has what. */
final class StoredCalendar implements Calendar, Tenures, Retention {

    private final Savepoints savepoints;
    private final Claims claims;
    private final Holders holders;
    private final Holding holding;
    private final TakingUp takingUp;
    private final Adopting adopting;
    private final CalendarGroup group;

    StoredCalendar(
            Savepoints savepoints,
            Claims claims,
            Holders holders,
            Holding holding,
            TakingUp takingUp,
            Adopting adopting,
            CalendarGroup group) {
        this.savepoints = savepoints;
        this.claims = claims;
        this.holders = holders;
        this.holding = holding;
        this.takingUp = takingUp;
        this.adopting = adopting;
        this.group = group;
    }

    @Override
    public <D> D settle(CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("the calendar is settled inside a transaction");
        }
        return gather(request)
                .map(
                        grant ->
                                keepIf(
                                        decide.apply(grant),
                                        keep,
                                        () -> group.takeBack(reservations(request))))
                .orElseGet(() -> settleAtOnce(request, decide, keep));
    }

    /** What is answered from memory, for the group to carry out; empty if the tables are asked. */
    private Optional<Grant> gather(CalendarRequest request) {
        return switch (request) {
            case Hold hold -> holding.gather(hold);
            case TakeUp takeUp -> takingUp.gather(takeUp);
            case Nothing _, Adopt _, Shorten _, LetGo _, GiveUp _ -> Optional.empty();
        };
    }

    private static List<ReservationId> reservations(CalendarRequest request) {
        return switch (request) {
            case Hold hold -> Holding.reservations(hold);
            case TakeUp takeUp -> TakingUp.reservations(takeUp);
            case Nothing _, Adopt _, Shorten _, LetGo _, GiveUp _ -> List.of();
        };
    }

    private <D> D settleAtOnce(
            CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
        if (!(request instanceof Nothing)) {
            // Nobody in a group is granted what is only let go after him, which he could be when
            // memory did not know of it.
            group.carryOut();
        }
        Runnable undo = undoing(request);
        try {
            return keepIf(decide.apply(carryOut(request, undo)), keep, undo);
        } catch (Postponed e) {
            // The group goes on without it.
            undo.run();
            throw e;
        }
    }

    private static <D> D keepIf(D decision, Predicate<D> keep, Runnable undo) {
        if (!keep.test(decision)) {
            undo.run();
        }
        return decision;
    }

    private Grant carryOut(CalendarRequest request, Runnable undo) {
        return switch (request) {
            case Nothing() -> new Grant.Done();
            case Hold hold -> {
                Grant grant = holding.hold(hold);
                if (grant instanceof Grant.TooFew && !Holding.isFresh(hold)) {
                    undo.run();
                }
                yield grant;
            }
            case TakeUp takeUp -> takingUp.takeUp(takeUp);
            case Adopt adopt -> adopting.adopt(adopt);
            case Shorten(var lease, var end) -> {
                claims.shorten(lease, end);
                yield new Grant.Done();
            }
            case LetGo(var reservation, var resources) -> {
                holders.letGo(reservation, resources);
                yield new Grant.Done();
            }
            case GiveUp(var lease, var end) -> {
                claims.shorten(lease, end);
                holders.letAllGo(lease);
                yield new Grant.Done();
            }
        };
    }

    /**
     * A savepoint costs every command a round trip. So a hold of something new, by far the most
     * frequent request, is undone by hand.
     */
    private Runnable undoing(CalendarRequest request) {
        return switch (request) {
            case Nothing() -> () -> {};
            case Hold hold when Holding.isFresh(hold) -> {
                List<ReservationId> reservations = Holding.reservations(hold);
                yield () -> claims.takeBack(reservations);
            }
            case Hold _ -> savepoints.mark();
            case TakeUp _, Adopt _, Shorten _, LetGo _, GiveUp _ -> savepoints.mark();
        };
    }

    @Override
    public Map<ReservationId, LeaseId> holders() {
        Map<ReservationId, LeaseId> all = new HashMap<>();
        holders.all().forEach(each -> all.put(each.tenure().reservation(), each.lease()));
        return all;
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId holder) {
        return holders.leaseOf(holder);
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return holders.isCurrent(tenure);
    }

    @Override
    public int forgetClaimsBefore(Instant instant, int atMost) {
        return claims.forgetBefore(instant, atMost);
    }
}
