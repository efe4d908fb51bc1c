package org.leasehold.runtime.node;

import org.leasehold.command.calendar.ClaimRetention;
import org.leasehold.command.request.RequestDataCleanup;
import org.leasehold.runtime.audit.AuditSettings;
import org.leasehold.runtime.node.NodeSettings.Role;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/** Deletes old rows of tables that are read often; no events are deleted. */
public final class Housekeeping {

    /** The retention of claims: long enough for queries of yesterday's calendar. */
    private static final Duration CLAIM_RETENTION = Duration.ofDays(2);

    private static final int BATCH_SIZE = 10_000;

    private final RequestDataCleanup requestCleanup;
    private final ClaimRetention claimRetention;
    private final AuditSettings audit;
    private final Clock clock;
    private final NodeSettings node;

    public Housekeeping(
            RequestDataCleanup journal,
            ClaimRetention calendar,
            AuditSettings audit,
            Clock clock,
            NodeSettings node) {
        this.requestCleanup = journal;
        this.claimRetention = calendar;
        this.audit = audit;
        this.clock = clock;
        this.node = node;
    }

    @Scheduled(initialDelay = 5, fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void deleteOldRows() {
        if (!node.has(Role.COMMAND)) {
            return;
        }
        Instant now = clock.instant();
        deleteInBatches(limit -> requestCleanup.deleteExpiredKeys(now, limit));
        deleteInBatches(
                limit -> claimRetention.deleteClaimsBefore(now.minus(CLAIM_RETENTION), limit));
        deleteInBatches(
                limit -> requestCleanup.eraseOrigins(now.minus(audit.originsKept()), limit));
        deleteInBatches(limit -> requestCleanup.deleteExpiredResponses(now, limit));
        deleteInBatches(
                limit -> requestCleanup.deletePrivilegedReads(now.minus(audit.readsKept()), limit));
    }

    /** Deletes in batches, since a long statement would be cancelled. */
    private static void deleteInBatches(IntUnaryOperator forget) {
        int forgotten;
        do {
            forgotten = forget.applyAsInt(BATCH_SIZE);
        } while (forgotten == BATCH_SIZE);
    }
}
