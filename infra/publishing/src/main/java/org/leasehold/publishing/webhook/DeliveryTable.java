package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.webhook.DeliveryResult.Failed;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The offsets and waiting events of webhooks. An offset moves only from its expected value: if two
 * nodes deliver the same events, and both believe to be the owner, one continues.
 */
final class DeliveryTable {

    /** The maximum number of dead letters of a webhook; older ones are deleted. */
    static final int MAX_DEAD_LETTERS = 10_000;

    /** The maximum number of connections for all receivers, so that others have some, too. */
    private static final int MAX_CONNECTIONS = 4;

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

    // An event that waits behind another one of its lease is not due.
    private static final String IS_DUE =
            """
            l.next_at <= clock_timestamp() AND NOT EXISTS (
                SELECT FROM webhook_letter former
                WHERE former.webhook_id = l.webhook_id AND former.stream = l.stream
                  AND former.position < l.position AND former.next_at IS NOT NULL)
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
    private final TransactionTemplate transactions;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);

    DeliveryTable(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Returns the unit of order: the events of a lease, or of a resource. */
    static String stream(Entry entry) {
        return entry.streamType() + ":" + entry.stream();
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
        return runWithConnection(
                () ->
                        jdbc.sql(SELECT_WEBHOOK)
                                .param("id", id)
                                .query((row, _) -> webhook(row))
                                .optional());
    }

    /** Returns true if its owners have it switched on, even if its receiver requested a pause. */
    boolean isSwitchedOn(UUID id) {
        return runWithConnection(
                () ->
                        jdbc.sql("SELECT FROM webhook WHERE webhook_id = :id AND enabled")
                                .param("id", id)
                                .query((_, _) -> true)
                                .optional()
                                .isPresent());
    }

    /** Returns the streams and the number of waiting events. */
    Waiting findWaiting(UUID id) {
        return runWithConnection(
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
     * @param streams their streams; the caller may add some
     */
    record Waiting(Set<String> streams, long count) {}

    /** Returns the due events, in order. */
    List<PendingDelivery> findDue(UUID id, int limit) {
        return runWithConnection(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT position, attempts, step FROM webhook_letter l
                                        WHERE webhook_id = :id AND %s
                                        ORDER BY position LIMIT :limit
                                        """
                                                .formatted(IS_DUE))
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

    /** Stores the offset; returns false if it was not at {@code from}. */
    boolean saveOffset(UUID id, long from, long to) {
        return runWithConnection(
                () ->
                        jdbc.sql(UPDATE_OFFSET)
                                        .param("id", id)
                                        .param("from", from)
                                        .param("to", to)
                                        .update()
                                == 1);
    }

    /** Adds a waiting event behind another one, and stores the offset. */
    boolean addWaitingBehind(UUID id, long from, Entry entry) {
        return runWithConnection(
                () -> runInTransaction(() -> addWaiting(id, from, entry, 0, null, Duration.ZERO)));
    }

    /**
     * Adds a waiting event after a failure, and stores the offset. The receiver gets the pause that
     * it requested.
     *
     * @param pause the shortest pause before the next attempt; null for a dead letter
     */
    boolean addWaiting(
            EnabledWebhook hook, long from, Entry entry, Failed failed, @Nullable Duration pause) {
        return runWithConnection(
                () ->
                        runInTransaction(
                                () ->
                                        addWaiting(
                                                hook.id(),
                                                from,
                                                entry,
                                                1,
                                                failed,
                                                longer(pause, pauseWebhook(hook, failed)))));
    }

    private boolean addWaiting(
            UUID id,
            long from,
            Entry entry,
            int attempts,
            @Nullable Failed failed,
            @Nullable Duration pause) {
        int moved =
                jdbc.sql(UPDATE_OFFSET)
                        .param("id", id)
                        .param("from", from)
                        .param("to", entry.position())
                        .update();
        if (moved == 0) {
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

    /**
     * Pauses the webhook as the receiver requested, unless the URL changed meanwhile. The URL
     * cannot change again until the transaction ends.
     *
     * @return the pause
     */
    private Duration pauseWebhook(EnabledWebhook hook, Failed failed) {
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
        runWithConnection(
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
        runWithConnection(
                () ->
                        runInTransaction(
                                () -> {
                                    Duration wanted = longer(pause, pauseWebhook(hook, failed));
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
                                    return changed == 1;
                                }));
    }

    /**
     * Turns {@code count} waiting events into dead letters: those with the most attempts, the
     * oldest first. Events behind them continue.
     *
     * @return their positions; empty if there are too few
     */
    List<Long> convertToDeadLetters(UUID id, long count) {
        return runWithConnection(
                () ->
                        Objects.requireNonNull(
                                transactions.execute(
                                        _ -> {
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
                                        })));
    }

    /** Makes all waiting events due, because the receiver accepts events again. */
    void makeAllDue(UUID id) {
        runWithConnection(
                () ->
                        jdbc.sql(
                                        """
                                        UPDATE webhook_letter SET next_at = clock_timestamp()
                                        WHERE webhook_id = :id AND next_at > clock_timestamp()
                                        """)
                                .param("id", id)
                                .update());
    }

    /**
     * Switches off a webhook whose receiver has gone, and records it for auditors. Does nothing if
     * the URL changed meanwhile or the webhook is off already.
     */
    void switchOff(EnabledWebhook hook, String because) {
        runWithConnection(
                () ->
                        jdbc.sql(SWITCH_OFF)
                                .param("id", hook.id())
                                .param("url", hook.url())
                                .param("because", because)
                                .update());
    }

    private boolean runInTransaction(Supplier<Boolean> statements) {
        return Objects.requireNonNull(transactions.execute(_ -> statements.get()));
    }

    /** Runs statements on one of the few connections for webhooks. Calls must not be nested. */
    <T> T runWithConnection(Supplier<T> statements) {
        connections.acquireUninterruptibly();
        try {
            return statements.get();
        } finally {
            connections.release();
        }
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
