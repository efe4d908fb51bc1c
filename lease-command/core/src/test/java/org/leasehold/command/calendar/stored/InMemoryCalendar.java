package org.leasehold.command.calendar.stored;

import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.index.ClaimIndexProjection;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.refusal.RefusalConfirmation;
import org.leasehold.lease.LeaseEvent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * A node's calendar, with the node's own memory, on tables that all nodes share. Everything but the
 * tables is the engine's.
 */
public final class InMemoryCalendar {

    private final Claims claims;
    private final ClaimIndex index = new ClaimIndex();
    private final CalendarGroupCommit group;
    private final StoredCalendar calendar;
    private final ClaimIndexProjection follower;
    private final PendingStartSearches nextStarts;
    private final Memory memory;

    /**
     * Creates a node's calendar with an empty memory.
     *
     * @param position the position of the last event
     * @param afterLook runs after each snapshot of the tables: commits of others before the
     *     following write must do no harm
     * @param memoryPosition the position that memory reports, from its own: the same in an engine
     *     without faults
     */
    public InMemoryCalendar(
            InMemoryTables tables,
            Duration cleaning,
            LongSupplier position,
            Clock clock,
            Runnable afterLook,
            LongUnaryOperator memoryPosition) {
        memory = new Memory(memoryPosition);
        this.claims = new InMemoryClaims(tables, cleaning, position, afterLook);
        Holders holders = new InMemoryHolders(tables);
        ContentionMode contentionMode = new ContentionMode();
        InventoryCache inventories = new InventoryCache(before -> inventory(tables));
        group = new CalendarGroupCommit(claims, holders, index, contentionMode);
        nextStarts = new PendingStartSearches(claims, memory);
        calendar =
                new StoredCalendar(
                        tables.log()::mark,
                        claims,
                        holders,
                        new HoldHandler(
                                inventories,
                                claims,
                                holders,
                                group,
                                contentionMode,
                                new RefusalConfirmation(
                                        claims,
                                        memory,
                                        nextStarts,
                                        RefusalConfirmation.MAX_EXPLAINED_CLAIMS)),
                        new HandOverHandler(
                                inventories, claims, holders, index, group, contentionMode),
                        inventories,
                        group);
        follower = new ClaimIndexProjection(claims, holders, index, clock);
    }

    private final class Memory implements CalendarMemory {

        private final LongUnaryOperator reported;
        private long position;

        Memory(LongUnaryOperator reported) {
            this.reported = reported;
        }

        @Override
        public long position() {
            return reported.applyAsLong(position);
        }

        @Override
        public boolean awaitPosition(long wanted, Duration timeout) {
            return index.isReady() && position() >= wanted;
        }

        @Override
        public ClaimIndex index() {
            return index;
        }
    }

    private static InventorySnapshot inventory(InMemoryTables tables) {
        return new InventorySnapshot(
                tables.inventoryVersion(),
                tables.resources().values().stream()
                        .map(
                                listed ->
                                        new CachedResource(
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

    public CurrentTenures tenures() {
        return calendar;
    }

    public PendingStartSearches nextStarts() {
        return nextStarts;
    }

    public CalendarGroupCommit group() {
        return group;
    }

    /** Loads all claims into memory; returns the position of the last event that they include. */
    public long learn() {
        memory.position = follower.rebuild();
        index.markComplete();
        return memory.position;
    }

    /**
     * Applies the next committed events to memory.
     *
     * @param position the last event, whether of a lease or not
     */
    public void learn(List<LeaseEvent> events, long position) {
        follower.apply(events);
        memory.position = position;
        follower.removeEndedClaims();
    }

    /** Deletes claims that are over, as the engine's housekeeping does. */
    public void forgetClaimsBefore(Instant instant) {
        claims.deleteEndedBefore(instant, Integer.MAX_VALUE);
    }
}
