package org.leasehold.command.request;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.IdempotentResponses;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Map;

/** Responses in PostgreSQL, beside the keys of commands. */
public final class PostgresIdempotentResponses implements IdempotentResponses {

    // A key of the whole project counts only if it names the same request. Subscriptions have such
    // keys, and so did all requests of earlier versions.
    private static final String SELECT_RESPONSE =
            """
            SELECT answer.status, answer.headers, answer.body, answer.body_hash AS answered,
                taken.outcome, taken.project_id <> :owner AS whole, taken.body_hash = :hash AS same
            FROM (SELECT) AS request
            LEFT JOIN kept_answer AS answer
                ON answer.owner = :owner AND answer.key = :key AND answer.body_hash = :hash
                AND answer.created_at > :forgotten
            LEFT JOIN idempotency AS taken
                ON taken.project_id IN (:owner, :project) AND taken.key = :key
                AND taken.created_at > :forgotten
                AND (taken.project_id = :owner OR taken.body_hash = :hash)
            ORDER BY taken.project_id = :owner DESC
            LIMIT 1
            """;

    // Does not wait for the disk: a lost response is derived from the command's outcome, which is
    // durable. The error of a late repeat is no response to an accepted request.
    private static final String INSERT_RESPONSE =
            """
            WITH lazy AS (SELECT set_config('synchronous_commit', 'off', true))
            INSERT INTO kept_answer AS kept
                (owner, key, body_hash, status, headers, body, created_at)
            SELECT :owner, :key, :hash, :status, :headers::jsonb, :body, :now
            FROM lazy
            WHERE :status < 400 OR NOT EXISTS (
                SELECT FROM idempotency
                WHERE project_id IN (:owner, :project) AND key = :key AND body_hash = :hash
                    AND created_at > :forgotten AND outcome ->> 'type' = 'Accepted')
            ON CONFLICT (owner, key, body_hash) DO UPDATE
            SET status = excluded.status, headers = excluded.headers, body = excluded.body,
                created_at = excluded.created_at
            WHERE kept.created_at <= :forgotten
            """;

    private final JdbcClient jdbc;
    private final JsonMapper json;

    public PostgresIdempotentResponses(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    @Override
    public Known find(Idempotency key, Instant now) {
        return bindKey(SELECT_RESPONSE, key, now).query((row, n) -> known(row)).single();
    }

    private Known known(ResultSet row) throws SQLException {
        if (row.getString("answered") != null) {
            return new Known.Answered(
                    new Answer(
                            row.getInt("status"),
                            json.readValue(
                                    row.getString("headers"),
                                    new TypeReference<Map<String, String>>() {}),
                            row.getString("body")));
        }
        String outcome = row.getString("outcome");
        if (outcome == null) {
            return new Known.Nothing();
        }
        if (!row.getBoolean("same")) {
            return new Known.AnotherRequest();
        }
        return json.readValue(outcome, Outcome.class) instanceof Accepted<?> accepted
                ? new Known.Done(accepted.position(), row.getBoolean("whole"))
                : new Known.Nothing();
    }

    @Override
    public boolean storeFirst(Idempotency key, Answer answer, Instant now) {
        return bindKey(INSERT_RESPONSE, key, now)
                        .param("status", answer.status())
                        .param("headers", json.writeValueAsString(answer.headers()))
                        .param("body", answer.body())
                        .param("now", Timestamp.from(now))
                        .update()
                == 1;
    }

    private StatementSpec bindKey(String statement, Idempotency key, Instant now) {
        return jdbc.sql(statement)
                .param("owner", key.owner())
                .param("project", key.project())
                .param("key", key.key())
                .param("hash", key.bodyHash())
                .param("forgotten", Timestamp.from(now.minus(Idempotency.RETENTION)));
    }

    /** Deletes expired responses; returns how many. */
    int deleteExpired(Instant now, int limit) {
        return jdbc.sql(
                        """
                        DELETE FROM kept_answer WHERE ctid IN (
                            SELECT ctid FROM kept_answer
                            WHERE created_at <= :forgotten LIMIT :most FOR UPDATE SKIP LOCKED)
                        """)
                .param("forgotten", Timestamp.from(now.minus(Idempotency.RETENTION)))
                .param("most", limit)
                .update();
    }
}
