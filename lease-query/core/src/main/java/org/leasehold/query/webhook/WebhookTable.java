package org.leasehold.query.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The rows of webhooks, and their locks, within the visibility of a project. */
final class WebhookTable {

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

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    WebhookTable(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    Page<Webhook> list(@Nullable ProjectId project, @Nullable String marker, int limit) {
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

    Optional<Webhook> find(UUID id, @Nullable ProjectId project) {
        return scoped(SELECT + " AND webhook_id = :id", project)
                .param("id", id)
                .query((row, _) -> webhook(row))
                .optional();
    }

    /** Runs statements while a webhook is locked; returns false if it does not exist. */
    boolean withLock(UUID id, @Nullable ProjectId project, Predicate<Webhook> statements) {
        return inTransaction(() -> lock(id, project) && statements.test(reload(id)));
    }

    Webhook reload(UUID id) {
        return find(id, null).orElseThrow();
    }

    boolean lock(UUID id, @Nullable ProjectId project) {
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

    private boolean inTransaction(BooleanSupplier statements) {
        return Objects.requireNonNull(transactions.execute(_ -> statements.getAsBoolean()));
    }

    private StatementSpec scoped(String sql, @Nullable ProjectId project) {
        return jdbc.sql(sql).param("project", project == null ? null : project.value());
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

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
