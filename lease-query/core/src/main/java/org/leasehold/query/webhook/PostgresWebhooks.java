package org.leasehold.query.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.query.subscription.IdempotentCreation;
import org.leasehold.query.subscription.SubscriptionChangeRecorder;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.leasehold.readmodel.subscription.Webhooks;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

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
                   WHERE project_id = :project AND everything = :everything AND webhook_id <> :id) < :limit
            ON CONFLICT (webhook_id) DO UPDATE SET webhook_id = excluded.webhook_id
            """;

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

    private final JdbcClient jdbc;
    private final WebhookTable webhooks;
    private final DeadLetterTable deadLetters;
    private final WebhookChangeRecorder changeRecorder;
    private final IdempotentCreation idempotentCreation;

    PostgresWebhooks(
            JdbcClient jdbc, TransactionTemplate transactions, SubscriptionChangeRecorder trail) {
        this.jdbc = jdbc;
        this.webhooks = new WebhookTable(jdbc, transactions);
        this.deadLetters = new DeadLetterTable(jdbc);
        this.changeRecorder = new WebhookChangeRecorder(trail);
        this.idempotentCreation = new IdempotentCreation(jdbc, transactions);
    }

    @Override
    public SubscriptionOutcome create(Order order, String secret, int limit, CommandContext by) {
        String project = order.project().value();
        return idempotentCreation.create(
                by,
                () -> {
                    jdbc.sql(LOCK_PROJECT).param("project", project).query((_, _) -> true).list();
                    boolean again = webhooks.lock(order.id(), null);
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
                                            .param("limit", limit)
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
        return webhooks.list(project, marker, limit);
    }

    @Override
    public Optional<Webhook> find(UUID id, @Nullable ProjectId project) {
        return webhooks.find(id, project);
    }

    @Override
    public boolean change(UUID id, @Nullable ProjectId project, Change change, CommandContext by) {
        return webhooks.withLock(
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
                        deadLetters.retryWaiting(id);
                    }
                    changeRecorder.recordChanged(former, webhooks.reload(id), by);
                    return true;
                });
    }

    @Override
    public boolean remove(UUID id, @Nullable ProjectId project, CommandContext by) {
        return webhooks.withLock(
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
        return webhooks.withLock(
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

    @Override
    public Optional<Page<DeadLetter>> deadLetters(
            UUID id, @Nullable ProjectId project, @Nullable String marker, int limit) {
        long after = marker == null ? 0 : Page.parseMarker(marker, Long::valueOf);
        return webhooks.find(id, project).map(_ -> deadLetters.list(id, after, limit));
    }

    @Override
    public boolean retryDeadLetter(
            UUID id, @Nullable ProjectId project, long position, CommandContext by) {
        return webhooks.withLock(
                id,
                project,
                webhook -> {
                    boolean isRetried = deadLetters.retry(id, position);
                    if (isRetried) {
                        changeRecorder.recordRetried(webhook, position, by);
                    }
                    return isRetried;
                });
    }

    @Override
    public boolean retryAll(UUID id, @Nullable ProjectId project, CommandContext by) {
        return webhooks.withLock(
                id,
                project,
                former -> {
                    deadLetters.retryAll(id);
                    jdbc.sql("UPDATE webhook SET resting_until = NULL WHERE webhook_id = :id")
                            .param("id", id)
                            .update();
                    changeRecorder.recordRetried(former, webhooks.reload(id), by);
                    return true;
                });
    }

    private static String[] array(Set<String> types) {
        return types.stream().sorted().toArray(String[]::new);
    }
}
