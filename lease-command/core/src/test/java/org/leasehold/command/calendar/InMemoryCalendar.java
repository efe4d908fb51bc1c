package org.leasehold.command.calendar;

import org.leasehold.calendar.Tenures;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.InMemoryTables.Claimed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The calendar of the simulation: what {@link PostgresCalendar} does, without PostgreSQL. */
public final class InMemoryCalendar implements Calendar, Tenures {

    private final InMemoryTables tables;
    private final InMemoryHolding holding;
    private final InMemoryTakingUp takingUp;

    /**
     * Makes a node's calendar on tables that all nodes share.
     *
     * @param position the position of the last event
     * @param afterLook is run when a request has seen the tables and has not written to them yet:
     *     whatever others commit in between must not harm
     */
    public InMemoryCalendar(
            InMemoryTables tables, Duration cleaning, LongSupplier position, Runnable afterLook) {
        this.tables = tables;
        this.holding = new InMemoryHolding(tables, cleaning, position, afterLook);
        this.takingUp = new InMemoryTakingUp(tables, holding);
    }

    @Override
    public <D> D settle(CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
        int savepoint = tables.savepoint();
        Grant grant = carryOut(request);
        if (grant instanceof Grant.TooFew) {
            tables.backTo(savepoint);
        }
        D decision = decide.apply(grant);
        if (!keep.test(decision)) {
            tables.backTo(savepoint);
        }
        return decision;
    }

    private Grant carryOut(CalendarRequest request) {
        return switch (request) {
            case Nothing() -> new Grant.Done();
            case Hold hold -> holding.hold(hold);
            case TakeUp takeUp -> takingUp.takeUp(takeUp);
            case Shorten(var lease, var end) -> {
                shorten(lease, end);
                yield new Grant.Done();
            }
            case LetGo(var reservation, var resources) -> {
                letGo(reservation, resources);
                yield new Grant.Done();
            }
            case GiveUp(var lease, var end) -> {
                shorten(lease, end);
                heldBy(lease).forEach(tables::letGo);
                yield new Grant.Done();
            }
        };
    }

    /** What was never held needs no cleaning. */
    private void shorten(LeaseId lease, Instant end) {
        List<Claimed> all = tables.allClaims().filter(c -> c.lease().equals(lease)).toList();
        for (Claimed claim : all) {
            Duration cleaning = isHeld(claim) ? claim.cleaning() : Duration.ZERO;
            Instant until = end.plus(cleaning);
            List<Claimed> others =
                    tables.claimsOn(claim.resource()).filter(c -> !c.equals(claim)).toList();
            if (!claim.during().start().isBefore(until)) {
                tables.replaceClaims(claim.resource(), others);
            } else if (claim.during().end().isAfter(until)) {
                tables.replaceClaims(claim.resource(), others);
                tables.claim(
                        claim.lasting(new LeasePeriod(claim.during().start(), until), cleaning));
            }
        }
    }

    private boolean isHeld(Claimed claim) {
        return tables.holderOf(claim.resource())
                .filter(held -> held.reservation().equals(claim.reservation()))
                .isPresent();
    }

    private void letGo(ReservationId reservation, Set<ResourceId> resources) {
        tables.holders().entrySet().stream()
                .filter(held -> held.getValue().reservation().equals(reservation))
                .map(held -> held.getKey())
                .filter(id -> resources.isEmpty() || resources.contains(id))
                .toList()
                .forEach(tables::letGo);
    }

    private List<ResourceId> heldBy(LeaseId lease) {
        return tables.holders().entrySet().stream()
                .filter(held -> held.getValue().lease().equals(lease))
                .map(held -> held.getKey())
                .toList();
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return tables.holders().values().stream()
                .anyMatch(
                        held ->
                                held.reservation().equals(tenure.reservation())
                                        && held.generation() == tenure.generation());
    }
}
