package org.leasehold.command.calendar.refusal;

import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.claim.PostgresHolders;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.index.ClaimIndexProjection;
import org.leasehold.command.calendar.stored.SampleRequests;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;

/**
 * A memory that follows no events: a test brings it up to date. It is not too old for a wait unless
 * a test says so.
 */
final class SampleMemory implements CalendarMemory {

    private final ClaimIndex index;
    private long position;

    /** Whether a wait succeeds. */
    boolean waits = true;

    /** The events that a wait brings. */
    Runnable duringWait = () -> {};

    SampleMemory(ClaimIndex index) {
        this.index = index;
    }

    /** Loads the claims of the tables, up to the head of the event log. */
    void load(JdbcTemplate jdbc) {
        position =
                new ClaimIndexProjection(
                                new PostgresClaims(jdbc, Duration.ZERO),
                                new PostgresHolders(jdbc),
                                index,
                                Clock.fixed(SampleRequests.NOON, ZoneOffset.UTC))
                        .rebuild();
        index.markComplete();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public boolean awaitPosition(long wanted, Duration timeout) {
        duringWait.run();
        return waits;
    }

    @Override
    public ClaimIndex index() {
        return index;
    }
}
