package org.leasehold.runtime;

import org.leasehold.command.calendar.Retention;
import org.leasehold.command.journal.JournalHousekeeping;
import org.leasehold.runtime.NodeSettings.Role;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/** Deletes old rows of tables that are read often; no events are deleted. */
final class Housekeeping {

    /** The retention of claims: long enough for queries of yesterday's calendar. */
    private static final Duration CLAIMS_ARE_KEPT = Duration.ofDays(2);

    private static final int AT_ONCE = 10_000;

    private final JournalHousekeeping journal;
    private final Retention calendar;
    private final AuditSettings audit;
    private final Clock clock;
    private final NodeSettings node;

    Housekeeping(
            JournalHousekeeping journal,
            Retention calendar,
            AuditSettings audit,
            Clock clock,
            NodeSettings node) {
        this.journal = journal;
        this.calendar = calendar;
        this.audit = audit;
        this.clock = clock;
        this.node = node;
    }

    @Scheduled(initialDelay = 5, fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void tidy() {
        if (!node.has(Role.COMMAND)) {
            return;
        }
        Instant now = clock.instant();
        inParts(most -> journal.forgetOldAnswers(now, most));
        inParts(most -> calendar.forgetClaimsBefore(now.minus(CLAIMS_ARE_KEPT), most));
        inParts(most -> journal.forgetOrigins(now.minus(audit.originsKept()), most));
        inParts(most -> journal.forgetKeptAnswers(now, most));
    }

    /** Deletes in batches, since a long statement would be cancelled. */
    private static void inParts(IntUnaryOperator forget) {
        int forgotten;
        do {
            forgotten = forget.applyAsInt(AT_ONCE);
        } while (forgotten == AT_ONCE);
    }
}
