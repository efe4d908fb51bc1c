package org.leasehold.publishing.webhook;

import org.leasehold.publishing.webhook.DeliveryResult.Failed;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * The webhooks that deliveries read, and their offsets. An offset moves only from its expected
 * value: if two nodes deliver the same events, and both believe to be the owner, one continues.
 */
final class WebhookOffsetTable {

    // An event that waits behind another one of its lease is not due.
    static final String IS_DUE =
            """
            l.next_at <= clock_timestamp() AND NOT EXISTS (
                SELECT FROM webhook_letter former
                WHERE former.webhook_id = l.webhook_id AND former.stream = l.stream
                  AND former.position < l.position AND former.next_at IS NOT NULL)
            """;

    private static final String IS_SWITCHED_ON =
            "enabled AND (resting_until IS NULL OR resting_until <= clock_timestamp())";

    private static final String HAS_EVENTS =
            """
            CASE WHEN everything THEN EXISTS (
                SELECT FROM event_entry e WHERE e.position > w.position)
            ELSE EXISTS (
                SELECT FROM event_entry e
                WHERE e.project_id = w.project_id AND e.position > w.position)
            END
            """;

    private static final String SELECT_READY =
            """
            SELECT webhook_id FROM webhook w
            WHERE %s AND (%s OR EXISTS (
                SELECT FROM webhook_letter l WHERE l.webhook_id = w.webhook_id AND %s))
            """
                    .formatted(IS_SWITCHED_ON, HAS_EVENTS, IS_DUE);

    private static final String SELECT_LOWEST_LAGGING_OFFSET =
            """
            SELECT min(position) FROM webhook w
            WHERE %s AND %s AND NOT EXISTS (
                SELECT FROM webhook_letter l
                WHERE l.webhook_id = w.webhook_id AND l.next_at IS NOT NULL)
            """
                    .formatted(IS_SWITCHED_ON, HAS_EVENTS);

    private static final String SELECT_WEBHOOK =
            """
            SELECT webhook_id, project_id, everything, url, types, position, array(
                SELECT s.secret FROM webhook_secret s
                WHERE s.webhook_id = w.webhook_id
                  AND (s.until IS NULL OR s.until > clock_timestamp())
                ORDER BY s.number DESC) AS secrets
            FROM webhook w WHERE webhook_id = :id AND %s
            """
                    .formatted(IS_SWITCHED_ON);

    private static final String UPDATE_OFFSET =
            """
            UPDATE webhook SET position = :to WHERE webhook_id = :id AND position = :from
            """;

    // The engine makes this change: it has no user, and no request.
    private static final String SWITCH_OFF =
            """
            WITH off AS (
                UPDATE webhook SET enabled = false, disabled_because = :because
                WHERE webhook_id = :id AND url = :url AND enabled
                RETURNING webhook_id, project_id)
            INSERT INTO subscription_change (kind, subscription_id, project_id, action, before,
                after, roles, authentication)
            SELECT 'WEBHOOK', webhook_id, project_id, 'SWITCHED_OFF',
                jsonb_build_object('enabled', true),
                jsonb_build_object('enabled', false, 'disabled_because', :because::text),
                '{}', 'engine'
            FROM off
            """;

    private final JdbcClient jdbc;
    private final WebhookConnections connections;

    WebhookOffsetTable(JdbcClient jdbc, WebhookConnections connections) {
        this.jdbc = jdbc;
        this.connections = connections;
    }

    /** Returns the webhooks that have work. */
    List<UUID> findReady() {
        return jdbc.sql(SELECT_READY).query(UUID.class).list();
    }

    /** Returns the lowest offset of webhooks that lag although their receivers accept events. */
    OptionalLong findLowestLaggingOffset() {
        return jdbc
                .sql(SELECT_LOWEST_LAGGING_OFFSET)
                .query((row, _) -> row.getObject(1, Long.class))
                .list()
                .stream()
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /** Returns a webhook that may get messages now. */
    Optional<EnabledWebhook> webhook(UUID id) {
        return connections.run(
                () ->
                        jdbc.sql(SELECT_WEBHOOK)
                                .param("id", id)
                                .query((row, _) -> webhook(row))
                                .optional());
    }

    /** Returns true if its owners have it switched on, even if its receiver requested a pause. */
    boolean isSwitchedOn(UUID id) {
        return connections.run(
                () ->
                        jdbc.sql("SELECT FROM webhook WHERE webhook_id = :id AND enabled")
                                .param("id", id)
                                .query((_, _) -> true)
                                .optional()
                                .isPresent());
    }

    /** Stores the offset; returns false if it was not at {@code from}. */
    boolean saveOffset(UUID id, long from, long to) {
        return connections.run(() -> moveOffset(id, from, to));
    }

    /** Stores the offset on the present connection; returns false if it was not at {@code from}. */
    boolean moveOffset(UUID id, long from, long to) {
        return jdbc.sql(UPDATE_OFFSET).param("id", id).param("from", from).param("to", to).update()
                == 1;
    }

    /**
     * Pauses the webhook as the receiver requested, unless the URL changed meanwhile. The URL
     * cannot change again until the transaction ends: call it within one.
     *
     * @return the pause
     */
    Duration pauseWebhook(EnabledWebhook hook, Failed failed) {
        Duration peace = failed.peace();
        if (peace == null) {
            return Duration.ZERO;
        }
        int resting =
                jdbc.sql(
                                """
                                UPDATE webhook SET resting_until = clock_timestamp()
                                    + :millis * interval '1 millisecond'
                                WHERE webhook_id = :id AND url = :url
                                """)
                        .param("id", hook.id())
                        .param("url", hook.url())
                        .param("millis", peace.toMillis())
                        .update();
        return resting == 1 ? peace : Duration.ZERO;
    }

    /**
     * Switches off a webhook whose receiver has gone, and records it for auditors. Does nothing if
     * the URL changed meanwhile or the webhook is off already.
     */
    void switchOff(EnabledWebhook hook, String because) {
        connections.run(
                () ->
                        jdbc.sql(SWITCH_OFF)
                                .param("id", hook.id())
                                .param("url", hook.url())
                                .param("because", because)
                                .update());
    }

    private static EnabledWebhook webhook(ResultSet row) throws SQLException {
        return new EnabledWebhook(
                row.getObject("webhook_id", UUID.class),
                row.getString("project_id"),
                row.getBoolean("everything"),
                row.getString("url"),
                Set.of((String[]) row.getArray("types").getArray()),
                row.getLong("position"),
                List.of((String[]) row.getArray("secrets").getArray()));
    }
}
