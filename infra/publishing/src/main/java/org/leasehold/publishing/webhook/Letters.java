package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.webhook.Outcome.Failed;
import org.leasehold.query.Feed.Entry;
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
 * How far each webhook was told, and what lies by for it. A note moves only from where it was
 * found, so that of two that tell the same, each having its reasons to believe that it is its turn,
 * one goes on.
 */
final class Letters {

    /** Of a webhook, the oldest of more than so many dead letters are forgotten. */
    static final int MOST_DEAD = 10_000;

    /** However many receivers there are, others need the database, too. */
    private static final int CONNECTIONS = 4;

    private static final String SWITCHED_ON =
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

    // What waits behind another event of its lease is not due.
    private static final String DUE =
            """
            l.next_at <= clock_timestamp() AND NOT EXISTS (
                SELECT FROM webhook_letter former
                WHERE former.webhook_id = l.webhook_id AND former.stream = l.stream
                  AND former.position < l.position AND former.next_at IS NOT NULL)
            """;

    private static final String READY =
            """
            SELECT webhook_id FROM webhook w
            WHERE %s AND (%s OR EXISTS (
                SELECT FROM webhook_letter l WHERE l.webhook_id = w.webhook_id AND %s))
            """
                    .formatted(SWITCHED_ON, HAS_EVENTS, DUE);

    private static final String BEHIND =
            """
            SELECT min(position) FROM webhook w
            WHERE %s AND %s AND NOT EXISTS (
                SELECT FROM webhook_letter l
                WHERE l.webhook_id = w.webhook_id AND l.next_at IS NOT NULL)
            """
                    .formatted(SWITCHED_ON, HAS_EVENTS);

    private static final String HOOK =
            """
            SELECT webhook_id, project_id, everything, url, types, position, array(
                SELECT s.secret FROM webhook_secret s
                WHERE s.webhook_id = w.webhook_id
                  AND (s.until IS NULL OR s.until > clock_timestamp())
                ORDER BY s.number DESC) AS secrets
            FROM webhook w WHERE webhook_id = :id AND %s
            """
                    .formatted(SWITCHED_ON);

    private static final String NOTE =
            """
            UPDATE webhook SET position = :to WHERE webhook_id = :id AND position = :from
            """;

    private static final String LAY_BY =
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

    private static final String FAILED_AGAIN =
            """
            UPDATE webhook_letter SET attempts = attempts + 1, step = :step, status = :status,
                failure = :failure, first_at = coalesce(first_at, clock_timestamp()),
                last_at = clock_timestamp(),
                next_at = CASE WHEN :dead THEN NULL ELSE
                    clock_timestamp() + :millis * interval '1 millisecond' END
            WHERE webhook_id = :id AND position = :position AND attempts = :attempts
              AND next_at IS NOT NULL
            """;

    // All that is needed, or nothing: what would make no room is not given up for it. What was not
    // tried, or not since somebody wanted it tried again, and what is due, has its try first.
    private static final String GIVE_UP =
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

    private static final String FORGET_OLDEST =
            """
            DELETE FROM webhook_letter WHERE webhook_id = :id AND position IN (
                SELECT position FROM webhook_letter
                WHERE webhook_id = :id AND next_at IS NULL
                ORDER BY position DESC OFFSET :most)
            """;

    // Who does it is the engine: it has no user, and no request.
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
    private final Semaphore connections = new Semaphore(CONNECTIONS);

    Letters(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** What is told in order: the events of a lease, or of a resource. */
    static String stream(Entry entry) {
        return entry.streamType() + ":" + entry.stream();
    }

    /** Webhooks for which there is something to do. */
    List<UUID> ready() {
        return jdbc.sql(READY).query(UUID.class).list();
    }

    /** From where on a webhook is behind whose receiver takes what it is sent. */
    OptionalLong behind() {
        return jdbc.sql(BEHIND).query((row, _) -> row.getObject(1, Long.class)).list().stream()
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /** A webhook that may be told something now. */
    Optional<Hook> hook(UUID id) {
        return limited(
                () -> jdbc.sql(HOOK).param("id", id).query((row, _) -> hook(row)).optional());
    }

    /** Whether its owners want it to be told anything; a receiver may want to be left alone. */
    boolean isSwitchedOn(UUID id) {
        return limited(
                () ->
                        jdbc.sql("SELECT FROM webhook WHERE webhook_id = :id AND enabled")
                                .param("id", id)
                                .query((_, _) -> true)
                                .optional()
                                .isPresent());
    }

    /** The streams of what lies by, and how much does. */
    Waiting waiting(UUID id) {
        return limited(
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
     * What lies by.
     *
     * @param streams of what; the caller's to add to
     */
    record Waiting(Set<String> streams, long count) {}

    /** What is due, in order. */
    List<Letter> due(UUID id, int limit) {
        return limited(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT position, attempts, step FROM webhook_letter l
                                        WHERE webhook_id = :id AND %s
                                        ORDER BY position LIMIT :limit
                                        """
                                                .formatted(DUE))
                                .param("id", id)
                                .param("limit", limit)
                                .query(
                                        (row, _) ->
                                                new Letter(
                                                        row.getLong("position"),
                                                        row.getInt("attempts"),
                                                        row.getInt("step")))
                                .list());
    }

    /** Everything up to a position was told. Returns false if it had gone on from elsewhere. */
    boolean note(UUID id, long from, long to) {
        return limited(
                () ->
                        jdbc.sql(NOTE).param("id", id).param("from", from).param("to", to).update()
                                == 1);
    }

    /** Lays by an event that waits behind another one, and notes it as told. */
    boolean layBehind(UUID id, long from, Entry entry) {
        return limited(() -> together(() -> layBy(id, from, entry, 0, null, Duration.ZERO)));
    }

    /**
     * Lays by an event that was not taken, and notes it as told. The receiver has the peace that it
     * asked for.
     *
     * @param pause until its next try, at least; null to give it up
     */
    boolean layBy(Hook hook, long from, Entry entry, Failed failed, @Nullable Duration pause) {
        return limited(
                () ->
                        together(
                                () ->
                                        layBy(
                                                hook.id(),
                                                from,
                                                entry,
                                                1,
                                                failed,
                                                longer(pause, rest(hook, failed)))));
    }

    private boolean layBy(
            UUID id,
            long from,
            Entry entry,
            int attempts,
            @Nullable Failed failed,
            @Nullable Duration pause) {
        int moved =
                jdbc.sql(NOTE)
                        .param("id", id)
                        .param("from", from)
                        .param("to", entry.position())
                        .update();
        if (moved == 0) {
            return false;
        }
        jdbc.sql(LAY_BY)
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
            forgetOldest(id);
        }
        return true;
    }

    /**
     * Sends nothing for as long as the receiver wants, unless the webhook was sent elsewhere
     * meanwhile: then it has nothing to ask for. Until the transaction ends it is sent nowhere
     * else.
     *
     * @return for how long
     */
    private Duration rest(Hook hook, Failed failed) {
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

    private void forgetOldest(UUID id) {
        jdbc.sql(FORGET_OLDEST).param("id", id).param("most", MOST_DEAD).update();
    }

    /** What lay by was taken, or is no one's business any more. */
    void remove(UUID id, Letter letter) {
        limited(
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
     * What lay by was not taken. The receiver has the peace that it asked for.
     *
     * @param pause until its next try, at least; null to give it up
     */
    void failedAgain(Hook hook, Letter letter, Failed failed, @Nullable Duration pause) {
        limited(
                () ->
                        together(
                                () -> {
                                    Duration wanted = longer(pause, rest(hook, failed));
                                    int changed =
                                            jdbc.sql(FAILED_AGAIN)
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
                                        forgetOldest(hook.id());
                                    }
                                    return changed == 1;
                                }));
    }

    /**
     * Gives up so much of what waits for another try: what was tried most, and of that the oldest.
     * What waits behind it goes on.
     *
     * @return where it is; nothing if there is not so much
     */
    List<Long> giveUp(UUID id, long count) {
        return limited(
                () ->
                        Objects.requireNonNull(
                                transactions.execute(
                                        _ -> {
                                            List<Long> given =
                                                    jdbc.sql(GIVE_UP)
                                                            .param("id", id)
                                                            .param("count", count)
                                                            .query(Long.class)
                                                            .list();
                                            if (!given.isEmpty()) {
                                                forgetOldest(id);
                                            }
                                            return given;
                                        })));
    }

    /** What waits for its next try waits no longer: the receiver takes something again. */
    void hasten(UUID id) {
        limited(
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
     * Switches a webhook off whose receiver has gone, unless it was sent elsewhere meanwhile or is
     * off already, and tells auditors.
     */
    void switchOff(Hook hook, String because) {
        limited(
                () ->
                        jdbc.sql(SWITCH_OFF)
                                .param("id", hook.id())
                                .param("url", hook.url())
                                .param("because", because)
                                .update());
    }

    private boolean together(Supplier<Boolean> statements) {
        return Objects.requireNonNull(transactions.execute(_ -> statements.get()));
    }

    /** Has a connection of the few that webhooks may have; none is asked for within another. */
    <T> T limited(Supplier<T> statements) {
        connections.acquireUninterruptibly();
        try {
            return statements.get();
        } finally {
            connections.release();
        }
    }

    private static Hook hook(ResultSet row) throws SQLException {
        return new Hook(
                row.getObject("webhook_id", UUID.class),
                row.getString("project_id"),
                row.getBoolean("everything"),
                row.getString("url"),
                Set.of((String[]) row.getArray("types").getArray()),
                row.getLong("position"),
                List.of((String[]) row.getArray("secrets").getArray()));
    }
}
