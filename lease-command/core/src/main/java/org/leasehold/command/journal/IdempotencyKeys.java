package org.leasehold.command.journal;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers for a day which answer a request got. The key is taken in the command's transaction,
 * before anything else: a concurrent repeat of the request waits for it.
 *
 * <p>Of the keys of one call, no two have the same owner and text.
 */
interface IdempotencyKeys {

    /**
     * Takes keys for their requests.
     *
     * @param requests the time of each request by its key
     * @return those that were free; the others are taken
     */
    Set<Idempotency> take(Map<Idempotency, Instant> requests);

    /** Lets later requests take the key, as if it had not been taken in this transaction. */
    void release(Idempotency key);

    /** The answer that the same request got; empty when the key was used for another request. */
    Optional<Outcome<?>> answer(Idempotency key);

    /** Stores the answers of taken keys. */
    void remember(Map<Idempotency, ? extends Outcome<?>> answers);

    /** Forgets keys whose time is over; returns how many. */
    int forget(Instant now, int atMost);
}
