package org.leasehold.query.subscription;

import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * The creation of subscriptions, but only one for each idempotency key. Commands share the keys: no
 * key is valid for two different requests.
 */
public final class IdempotentCreation {

    // Concurrent requests wait at the primary key. A repeat does not prolong the day.
    private static final String ACQUIRE_KEY =
            """
            INSERT INTO idempotency (project_id, key, body_hash, outcome, created_at)
            VALUES (:project, :key, :hash, 'null', :now)
            ON CONFLICT (project_id, key) DO UPDATE
            SET body_hash = excluded.body_hash, outcome = excluded.outcome,
                created_at = CASE WHEN idempotency.created_at <= :forgotten
                    THEN excluded.created_at ELSE idempotency.created_at END
            WHERE idempotency.created_at <= :forgotten
               OR idempotency.body_hash = excluded.body_hash
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    /** Creates it for a database with its transactions. */
    public IdempotentCreation(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /**
     * Creates a subscription in a transaction. If that fails, its key stays free for another
     * request.
     *
     * @param by the user and the request
     * @param statements creates it, or returns false at the limit
     */
    public SubscriptionOutcome create(CommandContext by, BooleanSupplier statements) {
        return Objects.requireNonNull(
                transactions.execute(
                        transaction -> {
                            Idempotency key = by.idempotency();
                            if (key != null && !acquireKey(key, by)) {
                                return SubscriptionOutcome.KEY_REUSED;
                            }
                            if (!statements.getAsBoolean()) {
                                transaction.setRollbackOnly();
                                return SubscriptionOutcome.TOO_MANY;
                            }
                            return SubscriptionOutcome.MADE;
                        }));
    }

    private boolean acquireKey(Idempotency key, CommandContext by) {
        return jdbc.sql(ACQUIRE_KEY)
                        .param("project", key.project())
                        .param("key", key.key())
                        .param("hash", key.bodyHash())
                        .param("now", by.now().atOffset(ZoneOffset.UTC))
                        .param(
                                "forgotten",
                                by.now().minus(Idempotency.RETENTION).atOffset(ZoneOffset.UTC))
                        .update()
                == 1;
    }
}
