package org.leasehold.command.request;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores for a day the answer of each request. The key is taken in the command's transaction,
 * before anything else: a concurrent repeat of the request waits for it.
 *
 * <p>No two keys of one call have the same owner and text.
 */
public interface IdempotencyKeys {

    /**
     * Takes keys for their requests.
     *
     * @param requests the time of each request by its key
     * @return the keys that were free; the others are taken
     */
    Set<Idempotency> take(Map<Idempotency, Instant> requests);

    /** Frees the key for later requests, as if this transaction had not taken it. */
    void release(Idempotency key);

    /** Returns the answer to the same request; empty if the key was used for another request. */
    Optional<Outcome<?>> findOutcome(Idempotency key);

    /** Stores the answers of taken keys. */
    void storeOutcomes(Map<Idempotency, ? extends Outcome<?>> answers);

    /** Deletes expired keys; returns how many. */
    int deleteExpired(Instant now, int limit);
}
