package org.leasehold.runtime;

import org.leasehold.command.calendar.Retention;
import org.leasehold.command.journal.JournalHousekeeping;
import org.leasehold.runtime.NodeSettings.Role;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Keeps small what is read often; the events forget nothing. */
final class Housekeeping {

    /** Long enough for whoever looks at yesterday's calendar. */
    private static final Duration CLAIMS_ARE_KEPT = Duration.ofDays(2);

    private static final int CLAIMS_AT_ONCE = 10_000;

    private final JournalHousekeeping journal;
    private final Retention calendar;
    private final Clock clock;
    private final NodeSettings node;

    Housekeeping(JournalHousekeeping journal, Retention calendar, Clock clock, NodeSettings node) {
        this.journal = journal;
        this.calendar = calendar;
        this.clock = clock;
        this.node = node;
    }

    @Scheduled(initialDelay = 5, fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void tidy() {
        if (!node.has(Role.COMMAND)) {
            return;
        }
        Instant now = clock.instant();
        journal.forgetOldAnswers(now);
        int forgotten;
        do {
            forgotten = calendar.forgetClaimsBefore(now.minus(CLAIMS_ARE_KEPT), CLAIMS_AT_ONCE);
        } while (forgotten == CLAIMS_AT_ONCE);
    }
}
