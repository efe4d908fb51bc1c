package org.leasehold.command.request;

import java.time.Instant;

/** Deletes expired rows, to keep the journal's tables small. */
public final class RequestDataCleanup {

    private final IdempotencyKeys keys;
    private final PostgresIdempotentResponses responses;
    private final OriginTable origins;
    private final PostgresPrivilegedReadLog reads;

    public RequestDataCleanup(
            IdempotencyKeys keys,
            PostgresIdempotentResponses answers,
            OriginTable origins,
            PostgresPrivilegedReadLog reads) {
        this.keys = keys;
        this.responses = answers;
        this.origins = origins;
        this.reads = reads;
    }

    /** Deletes the idempotency keys of requests of more than a day ago; returns how many. */
    public int deleteExpiredKeys(Instant now, int limit) {
        return keys.deleteExpired(now, limit);
    }

    /** Deletes the stored responses to requests of more than a day ago; returns how many. */
    public int deleteExpiredResponses(Instant now, int limit) {
        return responses.deleteExpired(now, limit);
    }

    /**
     * Erases the origins of requests before an instant.
     *
     * @return the number of requests; if it is {@code limit}, there may be more
     */
    public int eraseOrigins(Instant before, int limit) {
        return origins.eraseBefore(before, limit);
    }

    /**
     * Deletes records of privileged reads before an instant.
     *
     * @return the number of records; if it is {@code limit}, there may be more
     */
    public int deletePrivilegedReads(Instant before, int limit) {
        return reads.deleteBefore(before, limit);
    }
}
