package org.leasehold.command.request;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The keys in PostgreSQL: a concurrent repeat waits at the primary key. */
public final class PostgresIdempotencyKeys implements IdempotencyKeys {

    private final JdbcClient jdbc;
    private final JsonMapper json;

    public PostgresIdempotencyKeys(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    @Override
    public Set<Idempotency> take(Map<Idempotency, Instant> requests) {
        Map<List<String>, Idempotency> byRow = new HashMap<>();
        requests.keySet().forEach(key -> byRow.put(List.of(key.owner(), key.key()), key));
        List<Idempotency> keys = List.copyOf(byRow.values());
        // In order of the primary key: two nodes that take the same keys cannot deadlock.
        return jdbc.sql(
                        """
                        INSERT INTO idempotency AS known
                            (project_id, key, body_hash, outcome, created_at)
                        SELECT project, key, hash, 'null', now
                        FROM unnest(:projects::text[], :keys::text[], :hashes::text[],
                            :times::timestamptz[]) AS request (project, key, hash, now)
                        ORDER BY project, key
                        ON CONFLICT (project_id, key) DO UPDATE
                        SET body_hash = excluded.body_hash, outcome = excluded.outcome,
                            created_at = excluded.created_at
                        WHERE known.created_at <= excluded.created_at - :memory::interval
                        RETURNING project_id, key
                        """)
                .param("projects", texts(keys, Idempotency::owner))
                .param("keys", texts(keys, Idempotency::key))
                .param("hashes", texts(keys, Idempotency::bodyHash))
                .param("times", texts(keys, key -> String.valueOf(requests.get(key))))
                .param("memory", Idempotency.RETENTION.toString())
                .query(
                        (row, n) ->
                                Objects.requireNonNull(
                                        byRow.get(List.of(row.getString(1), row.getString(2))),
                                        "a key that was asked for"))
                .set();
    }

    @Override
    public void release(Idempotency key) {
        jdbc.sql("DELETE FROM idempotency WHERE project_id = :project AND key = :key")
                .param("project", key.owner())
                .param("key", key.key())
                .update();
    }

    @Override
    public Optional<Outcome<?>> findOutcome(Idempotency key) {
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
    public void storeOutcomes(Map<Idempotency, ? extends Outcome<?>> answers) {
        ObjectWriter writer = json.writerFor(Outcome.class);
        Set<Idempotency> keys = answers.keySet();
        jdbc.sql(
                        """
                        UPDATE idempotency SET outcome = answer::jsonb
                        FROM unnest(:projects::text[], :keys::text[], :outcomes::text[])
                            AS answered (project, name, answer)
                        WHERE project_id = project AND key = name
                        """)
                .param("projects", texts(keys, Idempotency::owner))
                .param("keys", texts(keys, Idempotency::key))
                .param("outcomes", texts(keys, key -> writer.writeValueAsString(answers.get(key))))
                .update();
    }

    @Override
    public int deleteExpired(Instant now, int limit) {
        return jdbc.sql(
                        """
                        DELETE FROM idempotency WHERE ctid IN (
                            SELECT ctid FROM idempotency
                            WHERE created_at <= :forgotten LIMIT :most FOR UPDATE SKIP LOCKED)
                        """)
                .param("forgotten", Timestamp.from(now.minus(Idempotency.RETENTION)))
                .param("most", limit)
                .update();
    }

    private static String[] texts(
            Collection<Idempotency> keys, Function<Idempotency, String> text) {
        return keys.stream().map(text).toArray(String[]::new);
    }
}
