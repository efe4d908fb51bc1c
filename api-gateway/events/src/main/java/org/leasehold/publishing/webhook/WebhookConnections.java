package org.leasehold.publishing.webhook;

import org.springframework.transaction.support.TransactionTemplate;

import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The connections for webhooks: a limited number, so that other work always gets connections. Calls
 * must not be nested.
 */
final class WebhookConnections {

    /** The maximum number of connections for all receivers. */
    private static final int MAX_CONNECTIONS = 4;

    private final TransactionTemplate transactions;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);

    WebhookConnections(TransactionTemplate transactions) {
        this.transactions = transactions;
    }

    /** Runs statements on one of the connections. */
    <T> T run(Supplier<T> statements) {
        permits.acquireUninterruptibly();
        try {
            return statements.get();
        } finally {
            permits.release();
        }
    }

    /** Runs statements in a transaction on one of the connections. */
    <T> T runInTransaction(Supplier<T> statements) {
        return run(() -> Objects.requireNonNull(transactions.execute(_ -> statements.get())));
    }
}
