package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.webhook.DeliveryResult.Failed;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The events of webhooks that wait for a retry, and the dead letters. */
final class DeliveryTable {

    /** The maximum number of dead letters of a webhook; older ones are deleted. */
    static final int MAX_DEAD_LETTERS = 10_000;

    private static final String INSERT_DELIVERY =
            """
            INSERT INTO webhook_letter (webhook_id, position, stream, event_id, event_type,
                attempts, step, status, failure, first_at, last_at, next_at)
            VALUES (:id, :position, :stream, :event, :type, :attempts, :attempts, :status, :failure,
                CASE WHEN :attempts > 0 THEN clock_timestamp() END,
                CASE WHEN :attempts > 0 THEN clock_timestamp() END,
                CASE WHEN :dead THEN NULL ELSE
                    clock_timestamp() + :millis * interval '1 millisecond' END)
            ON CONFLICT DO NOTHING
            """;

    private static final String UPDATE_FAILED_DELIVERY =
            """
            UPDATE webhook_letter SET attempts = attempts + 1, step = :step, status = :status,
                failure = :failure, first_at = coalesce(first_at, clock_timestamp()),
                last_at = clock_timestamp(),
                next_at = CASE WHEN :dead THEN NULL ELSE
                    clock_timestamp() + :millis * interval '1 millisecond' END
            WHERE webhook_id = :id AND position = :position AND attempts = :attempts
              AND next_at IS NOT NULL
            """;

    // Turns all that are needed into dead letters, or none, because a part would not make room. Due
    // events, and those without an attempt since they were added or since a requested retry, are
    // attempted first.
    private static final String CONVERT_TO_DEAD_LETTERS =
            """
            WITH tried AS (
                SELECT position FROM webhook_letter
                WHERE webhook_id = :id AND step > 0 AND next_at > clock_timestamp()
                ORDER BY step DESC, position LIMIT :count)
            UPDATE webhook_letter SET next_at = NULL
            WHERE webhook_id = :id AND position IN (SELECT position FROM tried)
              AND (SELECT count(*) FROM tried) = :count
            RETURNING position
            """;

    private static final String DELETE_OLDEST_DEAD_LETTERS =
            """
            DELETE FROM webhook_letter WHERE webhook_id = :id AND position IN (
                SELECT position FROM webhook_letter
                WHERE webhook_id = :id AND next_at IS NULL
                ORDER BY position DESC OFFSET :most)
            """;

    private final JdbcClient jdbc;
    private final WebhookConnections connections;
    private final WebhookOffsetTable webhooks;

    DeliveryTable(JdbcClient jdbc, WebhookConnections connections, WebhookOffsetTable webhooks) {
        this.jdbc = jdbc;
        this.connections = connections;
        this.webhooks = webhooks;
    }

    /** Returns the unit of order: the events of a lease, or of a resource. */
    static String stream(Entry entry) {
        return entry.streamType() + ":" + entry.stream();
    }

    /** Returns the streams and the number of waiting events. */
    Waiting findWaiting(UUID id) {
        return connections.run(
                () -> {
                    Set<String> streams = new HashSet<>();
                    long[] count = new long[1];
                    jdbc.sql(
                                    """
                                    SELECT stream, count(*) FROM webhook_letter
                                    WHERE webhook_id = :id AND next_at IS NOT NULL
                                    GROUP BY stream
                                    """)
                            .param("id", id)
                            .query(
                                    row -> {
                                        streams.add(row.getString(1));
                                        count[0] += row.getLong(2);
                                    });
                    return new Waiting(streams, count[0]);
                });
    }

    /**
     * The waiting events.
     *
     * @param streams their streams; the caller may add to them
     */
    record Waiting(Set<String> streams, long count) {}

    /** Returns the due events, in order. */
    List<PendingDelivery> findDue(UUID id, int limit) {
        return connections.run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT position, attempts, step FROM webhook_letter l
                                        WHERE webhook_id = :id AND %s
                                        ORDER BY position LIMIT :limit
                                        """
                                                .formatted(WebhookOffsetTable.IS_DUE))
                                .param("id", id)
                                .param("limit", limit)
                                .query(
                                        (row, _) ->
                                                new PendingDelivery(
                                                        row.getLong("position"),
                                                        row.getInt("attempts"),
                                                        row.getInt("step")))
                                .list());
    }

    /** Adds a waiting event behind another one, and stores the offset. */
    boolean addWaitingBehind(UUID id, long from, Entry entry) {
        return connections.runInTransaction(
                () -> addWaiting(id, from, entry, 0, null, Duration.ZERO));
    }

    /**
     * Adds a waiting event after a failure, and stores the offset. The receiver gets the pause that
     * it requested.
     *
     * @param pause the shortest pause before the next attempt; null for a dead letter
     */
    boolean addWaiting(
            EnabledWebhook hook, long from, Entry entry, Failed failed, @Nullable Duration pause) {
        return connections.runInTransaction(
                () ->
                        addWaiting(
                                hook.id(),
                                from,
                                entry,
                                1,
                                failed,
                                longer(pause, webhooks.pauseWebhook(hook, failed))));
    }

    private boolean addWaiting(
            UUID id,
            long from,
            Entry entry,
            int attempts,
            @Nullable Failed failed,
            @Nullable Duration pause) {
        if (!webhooks.moveOffset(id, from, entry.position())) {
            return false;
        }
        jdbc.sql(INSERT_DELIVERY)
                .param("id", id)
                .param("position", entry.position())
                .param("stream", stream(entry))
                .param("event", entry.id())
                .param("type", entry.type())
                .param("attempts", attempts)
                .param("status", failed == null ? null : failed.status())
                .param("failure", failed == null ? null : failed.failure())
                .param("dead", pause == null)
                .param("millis", millis(pause))
                .update();
        if (pause == null) {
            deleteOldestDeadLetters(id);
        }
        return true;
    }

    private static @Nullable Duration longer(@Nullable Duration pause, Duration peace) {
        return pause == null || pause.compareTo(peace) > 0 ? pause : peace;
    }

    private static long millis(@Nullable Duration pause) {
        return pause == null ? 0 : pause.toMillis();
    }

    private void deleteOldestDeadLetters(UUID id) {
        jdbc.sql(DELETE_OLDEST_DEAD_LETTERS)
                .param("id", id)
                .param("most", MAX_DEAD_LETTERS)
                .update();
    }

    /** Deletes a waiting event that was accepted, or that the webhook may not get any more. */
    void remove(UUID id, PendingDelivery letter) {
        connections.run(
                () ->
                        jdbc.sql(
                                        """
                                        DELETE FROM webhook_letter
                                        WHERE webhook_id = :id AND position = :position
                                        """)
                                .param("id", id)
                                .param("position", letter.position())
                                .update());
    }

    /**
     * Records a failed retry. The receiver gets the pause that it requested.
     *
     * @param pause the shortest pause before the next attempt; null for a dead letter
     */
    void recordFailedRetry(
            EnabledWebhook hook, PendingDelivery letter, Failed failed, @Nullable Duration pause) {
        int _ =
                connections.runInTransaction(
                        () -> {
                            Duration wanted = longer(pause, webhooks.pauseWebhook(hook, failed));
                            int changed =
                                    jdbc.sql(UPDATE_FAILED_DELIVERY)
                                            .param("id", hook.id())
                                            .param("position", letter.position())
                                            .param("attempts", letter.attempts())
                                            .param("step", letter.step() + 1)
                                            .param("status", failed.status())
                                            .param("failure", failed.failure())
                                            .param("dead", wanted == null)
                                            .param("millis", millis(wanted))
                                            .update();
                            if (wanted == null) {
                                deleteOldestDeadLetters(hook.id());
                            }
                            return changed;
                        });
    }

    /**
     * Turns {@code count} waiting events into dead letters: those with the most attempts, the
     * oldest first. Events behind them continue.
     *
     * @return their positions; empty if there are too few
     */
    List<Long> convertToDeadLetters(UUID id, long count) {
        return connections.runInTransaction(
                () -> {
                    List<Long> given =
                            jdbc.sql(CONVERT_TO_DEAD_LETTERS)
                                    .param("id", id)
                                    .param("count", count)
                                    .query(Long.class)
                                    .list();
                    if (!given.isEmpty()) {
                        deleteOldestDeadLetters(id);
                    }
                    return given;
                });
    }

    /** Makes all waiting events due, because the receiver accepts events again. */
    void makeAllDue(UUID id) {
        connections.run(
                () ->
                        jdbc.sql(
                                        """
                                        UPDATE webhook_letter SET next_at = clock_timestamp()
                                        WHERE webhook_id = :id AND next_at > clock_timestamp()
                                        """)
                                .param("id", id)
                                .update());
    }
}
