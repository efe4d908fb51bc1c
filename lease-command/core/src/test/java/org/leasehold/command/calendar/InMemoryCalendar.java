package org.leasehold.command.calendar;

import org.leasehold.calendar.Tenures;
import org.leasehold.lease.LeaseEvent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A node's calendar, with the node's own memory, on tables that all nodes share. Everything but the
 * tables is the engine's.
 */
public final class InMemoryCalendar {

    private final Claims claims;
    private final ClaimIndex index = new ClaimIndex();
    private final CalendarGroup group;
    private final StoredCalendar calendar;
    private final ClaimFollower follower;
    private final NextStarts nextStarts;

    /**
     * Makes a node's calendar that knows nothing yet.
     *
     * @param position the position of the last event
     * @param afterLook is run when somebody has looked at the tables: whatever others commit before
     *     he writes must not harm
     */
    public InMemoryCalendar(
            InMemoryTables tables,
            Duration cleaning,
            LongSupplier position,
            Clock clock,
            Runnable afterLook) {
        this.claims = new InMemoryClaims(tables, cleaning, position, afterLook);
        Holders holders = new InMemoryHolders(tables);
        Wariness wariness = new Wariness();
        Inventories inventories = new Inventories(before -> inventory(tables));
        group = new CalendarGroup(claims, holders, index, wariness);
        nextStarts = new NextStarts(claims, NextStarts.Memory.NONE);
        calendar =
                new StoredCalendar(
                        tables.log()::mark,
                        claims,
                        holders,
                        new Holding(
                                inventories,
                                claims,
                                holders,
                                index,
                                group,
                                wariness,
                                new Refusing(claims, nextStarts, Refusing.EXPLAINED_CLAIMS)),
                        new TakingUp(inventories, claims, holders, index, group, wariness),
                        new Adopting(inventories, claims, holders),
                        group);
        follower = new ClaimFollower(claims, holders, index, clock);
    }

    private static Inventory inventory(InMemoryTables tables) {
        return new Inventory(
                tables.inventoryVersion(),
                tables.resources().values().stream()
                        .map(
                                listed ->
                                        new KnownResource(
                                                listed.kind(),
                                                listed.allocation(),
                                                listed.properties(),
                                                listed.enrolled(),
                                                listed.version()))
                        .toList());
    }

    public Calendar calendar() {
        return calendar;
    }

    public Tenures tenures() {
        return calendar;
    }

    public NextStarts nextStarts() {
        return nextStarts;
    }

    public CalendarGroup group() {
        return group;
    }

    /** Learns all claims; returns the position of the last event that is in them. */
    public long learn() {
        long position = follower.begin();
        index.complete();
        return position;
    }

    /** Learns what was committed next. */
    public void learn(List<LeaseEvent> events) {
        follower.take(events);
        follower.sweep();
    }

    /** Forgets claims that are over, as the engine's housekeeping does. */
    public void forgetClaimsBefore(Instant instant) {
        claims.forgetBefore(instant, Integer.MAX_VALUE);
    }
}
