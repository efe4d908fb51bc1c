package org.leasehold.query.webhook;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.subscription.Webhooks.DeadLetter;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The dead letters and the waiting deliveries of a webhook. */
final class DeadLetterTable {

    /** The retry of waiting deliveries: another address, or an enabled one, may accept them now. */
    private static final String RETRY_WAITING_DELIVERIES =
            """
            UPDATE webhook_letter SET next_at = clock_timestamp()
            WHERE webhook_id = :id AND next_at > clock_timestamp()
            """;

    private static final String DEAD_LETTERS =
            """
            SELECT * FROM webhook_letter
            WHERE webhook_id = :id AND next_at IS NULL AND position > :after
            ORDER BY position LIMIT :limit
            """;

    private static final String RETRY_DEAD_LETTER =
            """
            UPDATE webhook_letter SET next_at = clock_timestamp(), step = 0
            WHERE webhook_id = :id AND next_at IS NULL AND position = :position
            """;

    // Of the waiting ones, only the first of a lease has a time of its own.
    private static final String RETRY_ALL_DELIVERIES =
            """
            UPDATE webhook_letter
            SET step = CASE WHEN next_at IS NULL THEN 0 ELSE step END, next_at = clock_timestamp()
            WHERE webhook_id = :id AND (next_at IS NULL OR next_at > clock_timestamp())
            """;

    private final JdbcClient jdbc;

    DeadLetterTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Page<DeadLetter> list(UUID id, long after, int limit) {
        List<DeadLetter> found =
                jdbc.sql(DEAD_LETTERS)
                        .param("id", id)
                        .param("after", after)
                        .param("limit", limit + 1)
                        .query((row, _) -> deadLetter(row))
                        .list();
        return Page.of(found, limit, letter -> Long.toString(letter.position()));
    }

    /** Retries a dead letter. Returns whether it exists. */
    boolean retry(UUID id, long position) {
        return jdbc.sql(RETRY_DEAD_LETTER).param("id", id).param("position", position).update()
                == 1;
    }

    void retryWaiting(UUID id) {
        jdbc.sql(RETRY_WAITING_DELIVERIES).param("id", id).update();
    }

    void retryAll(UUID id) {
        jdbc.sql(RETRY_ALL_DELIVERIES).param("id", id).update();
    }

    private static DeadLetter deadLetter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("position"),
                row.getObject("event_id", UUID.class),
                row.getString("event_type"),
                row.getInt("attempts"),
                row.getObject("status", Integer.class),
                row.getString("failure"),
                WebhookTable.instant(row, "first_at"),
                WebhookTable.instant(row, "last_at"));
    }
}
