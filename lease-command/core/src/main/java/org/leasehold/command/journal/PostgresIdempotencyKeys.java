package org.leasehold.command.journal;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;

/** The keys in PostgreSQL: a concurrent repeat waits at the primary key. */
final class PostgresIdempotencyKeys implements IdempotencyKeys {

    private final JdbcClient jdbc;
    private final JsonMapper json;

    PostgresIdempotencyKeys(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    @Override
    public boolean take(Idempotency key, Instant now) {
        return jdbc.sql(
                                """
                                INSERT INTO idempotency (project_id, key, body_hash, outcome, created_at)
                                VALUES (:project, :key, :hash, 'null', :now)
                                ON CONFLICT (project_id, key) DO UPDATE
                                SET body_hash = excluded.body_hash, outcome = excluded.outcome,
                                    created_at = excluded.created_at
                                WHERE idempotency.created_at <= :forgotten
                                """)
                        .param("project", key.owner())
                        .param("key", key.key())
                        .param("hash", key.bodyHash())
                        .param("now", Timestamp.from(now))
                        .param("forgotten", Timestamp.from(now.minus(Idempotency.MEMORY)))
                        .update()
                == 1;
    }

    @Override
    public void release(Idempotency key) {
        jdbc.sql("DELETE FROM idempotency WHERE project_id = :project AND key = :key")
                .param("project", key.owner())
                .param("key", key.key())
                .update();
    }

    @Override
    public Optional<Outcome<?>> answer(Idempotency key) {
        return jdbc.sql(
                        """
                        SELECT outcome FROM idempotency
                        WHERE project_id = :project AND key = :key AND body_hash = :hash
                        """)
                .param("project", key.owner())
                .param("key", key.key())
                .param("hash", key.bodyHash())
                .query((row, n) -> row.getString(1))
                .optional()
                .map(text -> json.readValue(text, Outcome.class));
    }

    @Override
    public void remember(Idempotency key, Outcome<?> outcome) {
        jdbc.sql(
                        """
                        UPDATE idempotency SET outcome = :outcome::jsonb
                        WHERE project_id = :project AND key = :key
                        """)
                .param("outcome", json.writerFor(Outcome.class).writeValueAsString(outcome))
                .param("project", key.owner())
                .param("key", key.key())
                .update();
    }

    @Override
    public int forget(Instant now, int atMost) {
        return jdbc.sql(
                        """
                        DELETE FROM idempotency WHERE ctid IN (
                            SELECT ctid FROM idempotency
                            WHERE created_at <= :forgotten LIMIT :most FOR UPDATE SKIP LOCKED)
                        """)
                .param("forgotten", Timestamp.from(now.minus(Idempotency.MEMORY)))
                .param("most", atMost)
                .update();
    }
}
