package org.leasehold.command.execution;

import org.axonframework.common.transaction.TransactionManager;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.request.CommandReceipt;
import org.leasehold.command.request.IdempotencyKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;

/**
 * Completes the answer to a refused request, in the request's own thread. The search for the next
 * starts takes long in a full calendar, and must not block others.
 */
final class RefusalCompletion {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalCompletion.class);

    private final IdempotencyKeys keys;
    private final TransactionManager transactions;

    RefusalCompletion(IdempotencyKeys keys, TransactionManager transactions) {
        this.keys = keys;
        this.transactions = transactions;
    }

    /**
     * Returns the outcome with its next starts, which a later repeat of the request gets too.
     *
     * @param key null if the request cannot be repeated
     */
    <R> Outcome<R> complete(Outcome<R> outcome, CommandReceipt receipt, @Nullable Idempotency key) {
        if (!(outcome instanceof Refused<R>(var shortages, long position))) {
            return outcome;
        }
        try {
            Refused<R> complete =
                    new Refused<>(receipt.nextStartSearch().apply(shortages), position);
            if (key != null && !complete.equals(outcome)) {
                transactions.executeInTransaction(() -> keys.storeOutcomes(Map.of(key, complete)));
            }
            return complete;
        } catch (RuntimeException e) {
            // The command is decided, and its answer is true without the next starts.
            LOG.warn("A refusal is answered without its next starts: {}", e.toString());
            return outcome;
        }
    }
}
