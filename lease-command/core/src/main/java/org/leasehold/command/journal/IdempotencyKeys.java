package org.leasehold.command.journal;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;

import java.time.Instant;
import java.util.Optional;

/**
 * Remembers for a day which answer a request got. The key is taken in the command's transaction,
 * before anything else: a concurrent repeat of the request waits for it.
 */
interface IdempotencyKeys {

    /** Takes the key for this request, unless it is taken. */
    boolean take(Idempotency key, Instant now);

    /** Lets somebody else take the key, as if it had not been taken in this transaction. */
    void release(Idempotency key);

    /** The answer that the same request got; empty when the key was used for another request. */
    Optional<Outcome<?>> answer(Idempotency key);

    void remember(Idempotency key, Outcome<?> outcome);

    /** Forgets keys whose time is over; returns how many. */
    int forget(Instant now, int atMost);
}
