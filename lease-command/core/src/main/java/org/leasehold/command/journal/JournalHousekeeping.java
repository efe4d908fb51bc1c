package org.leasehold.command.journal;

import java.time.Instant;

/** Deletes expired rows, to keep the journal's tables small. */
public final class JournalHousekeeping {

    private final IdempotencyKeys keys;
    private final PostgresKeptAnswers answers;
    private final OriginTable origins;

    JournalHousekeeping(IdempotencyKeys keys, PostgresKeptAnswers answers, OriginTable origins) {
        this.keys = keys;
        this.answers = answers;
        this.origins = origins;
    }

    /** Deletes the idempotency keys of requests of more than a day ago; returns how many. */
    public int forgetOldAnswers(Instant now, int atMost) {
        return keys.forget(now, atMost);
    }

    /** Deletes the stored responses to requests of more than a day ago; returns how many. */
    public int forgetKeptAnswers(Instant now, int atMost) {
        return answers.forget(now, atMost);
    }

    /**
     * Erases the origins of requests before an instant.
     *
     * @return the number of requests; if it is {@code atMost}, there may be more
     */
    public int forgetOrigins(Instant before, int atMost) {
        return origins.forget(before, atMost);
    }
}
