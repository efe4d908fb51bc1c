package org.leasehold.command.journal;

import java.time.Instant;

/** What has to be done now and then to keep the journal's tables small. */
public final class JournalHousekeeping {

    private final IdempotencyKeys keys;
    private final PostgresKeptAnswers answers;
    private final OriginTable origins;

    JournalHousekeeping(IdempotencyKeys keys, PostgresKeptAnswers answers, OriginTable origins) {
        this.keys = keys;
        this.answers = answers;
        this.origins = origins;
    }

    /** Forgets the commands of requests of more than a day ago; returns how many. */
    public int forgetOldAnswers(Instant now, int atMost) {
        return keys.forget(now, atMost);
    }

    /** Forgets the answers to requests of more than a day ago; returns how many. */
    public int forgetKeptAnswers(Instant now, int atMost) {
        return answers.forget(now, atMost);
    }

    /**
     * Erases where requests came from that were before an instant.
     *
     * @return of how many; when it is {@code atMost}, there may be more
     */
    public int forgetOrigins(Instant before, int atMost) {
        return origins.forget(before, atMost);
    }
}
