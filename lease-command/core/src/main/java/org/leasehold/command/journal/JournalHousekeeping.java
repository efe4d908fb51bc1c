package org.leasehold.command.journal;

import java.time.Instant;

/** What has to be done now and then to keep the journal's tables small. */
public final class JournalHousekeeping {

    private final IdempotencyKeys keys;

    JournalHousekeeping(IdempotencyKeys keys) {
        this.keys = keys;
    }

    /** Forgets the answers to requests of more than a day ago; says how many. */
    public int forgetOldAnswers(Instant now) {
        return keys.forget(now);
    }
}
