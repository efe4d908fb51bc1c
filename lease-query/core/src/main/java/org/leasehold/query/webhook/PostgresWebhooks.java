package org.leasehold.query.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.query.subscription.IdempotentCreation;
import org.leasehold.query.subscription.SubscriptionChangeRecorder;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.leasehold.readmodel.subscription.Webhooks;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The tables of webhooks, for their owners. */
final class PostgresWebhooks implements Webhooks {

    /** The largest number of former secrets of a webhook that are stored. */
    private static final int MAX_FORMER_SECRETS = 4;

    // Two concurrent requests would both find room for one.
    private static final String LOCK_PROJECT =
            "SELECT pg_advisory_xact_lock(hashtext('webhook'), hashtext(:project))";

    private static final String UPSERT_WEBHOOK =
            """
            INSERT INTO webhook (webhook_id, project_id, everything, user_id, url, types,
                description, enabled, created_at, position)
            SELECT :id, :project, :everything, :user, :url, :types, :description, :enabled,
                :created, (SELECT coalesce(max(e.position), 0) FROM domain_event e)
            WHERE (SELECT count(*) FROM webhook
                   WHERE project_id = :project AND everything = :everything AND webhook_id <> :id) < :most
            ON CONFLICT (webhook_id) DO UPDATE SET webhook_id = excluded.webhook_id
            """;

    /** The condition of visibility; one for all projects gets others' events and is hidden. */
    private static final String VISIBLE =
            "(:project::text IS NULL OR (project_id = :project AND NOT everything))";

    private static final String SELECT =
            """
            SELECT w.*,
                (SELECT count(*) FROM webhook_letter l
                 WHERE l.webhook_id = w.webhook_id AND l.next_at IS NOT NULL) AS waiting,
                (SELECT count(*) FROM webhook_letter l
                 WHERE l.webhook_id = w.webhook_id AND l.next_at IS NULL) AS dead
            FROM webhook w
            WHERE %s
            """
                    .formatted(VISIBLE);

    private static final String UPDATE_WEBHOOK =
            """
            UPDATE webhook SET
                url = coalesce(:url::text, url),
                types = coalesce(:types::text[], types),
                description = CASE WHEN :description::text IS NULL THEN description
                    ELSE nullif(:description, '') END,
                enabled = coalesce(:enabled::boolean, enabled),
                disabled_because = CASE WHEN :enabled::boolean IS NULL THEN disabled_because END,
                resting_until = CASE WHEN :url::text <> url OR :enabled::boolean AND NOT enabled
                    THEN NULL ELSE resting_until END
            WHERE webhook_id = :id
            """;

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
    private final TransactionTemplate transactions;
    private final WebhookChangeRecorder changeRecorder;
    private final IdempotentCreation idempotentCreation;

    PostgresWebhooks(
            JdbcClient jdbc, TransactionTemplate transactions, SubscriptionChangeRecorder trail) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.changeRecorder = new WebhookChangeRecorder(trail);
        this.idempotentCreation = new IdempotentCreation(jdbc, transactions);
    }

    @Override
    public SubscriptionOutcome create(Order order, String secret, int most, CommandContext by) {
        String project = order.project().value();
        return idempotentCreation.create(
                by,
                () -> {
                    jdbc.sql(LOCK_PROJECT).param("project", project).query((_, _) -> true).list();
                    boolean again = lock(order.id(), null);
                    boolean made =
                            jdbc.sql(UPSERT_WEBHOOK)
                                            .param("id", order.id())
                                            .param("project", project)
                                            .param("everything", order.everything())
                                            .param("user", order.user().value())
                                            .param("url", order.url())
                                            .param("types", array(order.types()))
                                            .param("description", order.description())
                                            .param("enabled", order.enabled())
                                            .param(
                                                    "created",
                                                    order.createdAt().atOffset(ZoneOffset.UTC))
                                            .param("most", most)
                                            .update()
                                    == 1;
                    if (made) {
                        jdbc.sql("DELETE FROM webhook_secret WHERE webhook_id = :id")
                                .param("id", order.id())
                                .update();
                        add(order.id(), secret);
                        if (again) {
                            changeRecorder.recordSecretReplaced(order, by);
                        } else {
                            changeRecorder.recordCreated(order, by);
                        }
                    }
                    return made;
                });
    }

    private void add(UUID id, String secret) {
        jdbc.sql("INSERT INTO webhook_secret (webhook_id, secret) VALUES (:id, :secret)")
                .param("id", id)
                .param("secret", secret)
                .update();
    }

    @Override
    public Page<Webhook> list(@Nullable ProjectId project, @Nullable String marker, int limit) {
        List<Webhook> found =
                scoped(
                                SELECT
                                        + " AND (:after::uuid IS NULL OR webhook_id > :after)"
                                        + " ORDER BY webhook_id LIMIT :limit",
                                project)
                        .param(
                                "after",
                                marker == null ? null : Page.parseMarker(marker, UUID::fromString))
                        .param("limit", limit + 1)
                        .query((row, _) -> webhook(row))
                        .list();
        return Page.of(found, limit, webhook -> webhook.order().id().toString());
    }

    @Override
    public Optional<Webhook> find(UUID id, @Nullable ProjectId project) {
        return scoped(SELECT + " AND webhook_id = :id", project)
                .param("id", id)
                .query((row, _) -> webhook(row))
                .optional();
    }

    @Override
    public boolean change(UUID id, @Nullable ProjectId project, Change change, CommandContext by) {
        return withLock(
                id,
                project,
                former -> {
                    Set<String> types = change.types();
                    jdbc.sql(UPDATE_WEBHOOK)
                            .param("id", id)
                            .param("url", change.url())
                            .param("types", types == null ? null : array(types))
                            .param("description", change.description())
                            .param("enabled", change.enabled())
                            .update();
                    if (change.url() != null || Boolean.TRUE.equals(change.enabled())) {
                        jdbc.sql(RETRY_WAITING_DELIVERIES).param("id", id).update();
                    }
                    changeRecorder.recordChanged(former, reload(id), by);
                    return true;
                });
    }

    @Override
    public boolean remove(UUID id, @Nullable ProjectId project, CommandContext by) {
        return withLock(
                id,
                project,
                former -> {
                    jdbc.sql("DELETE FROM webhook WHERE webhook_id = :id").param("id", id).update();
                    changeRecorder.recordRemoved(former, by);
                    return true;
                });
    }

    @Override
    public boolean replaceSecret(
            UUID id,
            @Nullable ProjectId project,
            String secret,
            Duration formerFor,
            CommandContext by) {
        return withLock(
                id,
                project,
                webhook -> {
                    jdbc.sql(
                                    """
                                    DELETE FROM webhook_secret
                                    WHERE webhook_id = :id AND number NOT IN (
                                        SELECT number FROM webhook_secret WHERE webhook_id = :id
                                        ORDER BY number DESC LIMIT :former)
                                    """)
                            .param("id", id)
                            .param("former", MAX_FORMER_SECRETS)
                            .update();
                    jdbc.sql(
                                    """
                                    UPDATE webhook_secret
                                    SET until = clock_timestamp() + :seconds * interval '1 second'
                                    WHERE webhook_id = :id AND until IS NULL
                                    """)
                            .param("id", id)
                            .param("seconds", formerFor.toSeconds())
                            .update();
                    add(id, secret);
                    changeRecorder.recordSecretReplaced(webhook.order(), by);
                    return true;
                });
    }

    /** Runs statements while a webhook is locked; returns false if it does not exist. */
    private boolean withLock(UUID id, @Nullable ProjectId project, Predicate<Webhook> statements) {
        return inTransaction(() -> lock(id, project) && statements.test(reload(id)));
    }

    private Webhook reload(UUID id) {
        return find(id, null).orElseThrow();
    }

    private boolean lock(UUID id, @Nullable ProjectId project) {
        return scoped(
                        "SELECT true FROM webhook WHERE webhook_id = :id AND "
                                + VISIBLE
                                + " FOR UPDATE",
                        project)
                .param("id", id)
                .query(Boolean.class)
                .optional()
                .isPresent();
    }

    @Override
    public Optional<Page<DeadLetter>> deadLetters(
            UUID id, @Nullable ProjectId project, @Nullable String marker, int limit) {
        long after = marker == null ? 0 : Page.parseMarker(marker, Long::valueOf);
        if (find(id, project).isEmpty()) {
            return Optional.empty();
        }
        List<DeadLetter> found =
                jdbc.sql(DEAD_LETTERS)
                        .param("id", id)
                        .param("after", after)
                        .param("limit", limit + 1)
                        .query((row, _) -> deadLetter(row))
                        .list();
        return Optional.of(Page.of(found, limit, letter -> Long.toString(letter.position())));
    }

    @Override
    public boolean retryDeadLetter(
            UUID id, @Nullable ProjectId project, long position, CommandContext by) {
        return withLock(
                id,
                project,
                webhook -> {
                    int revived =
                            jdbc.sql(RETRY_DEAD_LETTER)
                                    .param("id", id)
                                    .param("position", position)
                                    .update();
                    if (revived == 1) {
                        changeRecorder.recordRetried(webhook, position, by);
                    }
                    return revived == 1;
                });
    }

    @Override
    public boolean retryAll(UUID id, @Nullable ProjectId project, CommandContext by) {
        return withLock(
                id,
                project,
                former -> {
                    jdbc.sql(RETRY_ALL_DELIVERIES).param("id", id).update();
                    jdbc.sql("UPDATE webhook SET resting_until = NULL WHERE webhook_id = :id")
                            .param("id", id)
                            .update();
                    changeRecorder.recordRetried(former, reload(id), by);
                    return true;
                });
    }

    private boolean inTransaction(BooleanSupplier statements) {
        return Objects.requireNonNull(transactions.execute(_ -> statements.getAsBoolean()));
    }

    private StatementSpec scoped(String sql, @Nullable ProjectId project) {
        return jdbc.sql(sql).param("project", project == null ? null : project.value());
    }

    private static String[] array(Set<String> types) {
        return types.stream().sorted().toArray(String[]::new);
    }

    private static Webhook webhook(ResultSet row) throws SQLException {
        return new Webhook(
                new Order(
                        row.getObject("webhook_id", UUID.class),
                        new ProjectId(row.getString("project_id")),
                        row.getBoolean("everything"),
                        new UserId(row.getString("user_id")),
                        row.getString("url"),
                        Set.of((String[]) row.getArray("types").getArray()),
                        row.getString("description"),
                        row.getBoolean("enabled"),
                        instant(row, "created_at")),
                row.getString("disabled_because"),
                row.getLong("position"),
                row.getLong("waiting"),
                row.getLong("dead"));
    }

    private static DeadLetter deadLetter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("position"),
                row.getObject("event_id", UUID.class),
                row.getString("event_type"),
                row.getInt("attempts"),
                row.getObject("status", Integer.class),
                row.getString("failure"),
                instant(row, "first_at"),
                instant(row, "last_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
