package org.leasehold.query.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.origin.OriginSql;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Queries of the table of changes of subscriptions. */
final class PostgresSubscriptionChanges implements SubscriptionChanges {

    private static final ObjectReader FIELDS =
            new JsonMapper().readerFor(new TypeReference<Map<String, Object>>() {});

    private final JdbcClient jdbc;

    PostgresSubscriptionChanges(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Numbered(long number, SubscriptionChange change) {}

    @Override
    public Page<SubscriptionChange> list(ListChanges question) {
        String marker = question.marker();
        // Only the requested conditions: one statement for all would be planned for none.
        String where =
                (question.user() == null ? "" : " AND change.user_id = :user")
                        + (question.project() == null ? "" : " AND project_id = :project")
                        + (question.subscription() == null
                                ? ""
                                : " AND subscription_id = :subscription");
        List<Numbered> found =
                jdbc.sql(
                                """
                                SELECT change.*, %s FROM subscription_change change %s
                                WHERE change_id < :before%s
                                ORDER BY change_id DESC LIMIT :limit
                                """
                                        .formatted(
                                                OriginSql.COLUMNS,
                                                OriginSql.join("change.request_id"),
                                                where))
                        .param(
                                "before",
                                marker == null
                                        ? Long.MAX_VALUE
                                        : Page.parseMarker(marker, Long::valueOf))
                        .param("user", question.user())
                        .param("project", question.project())
                        .param("subscription", question.subscription())
                        .param("limit", question.limit() + 1)
                        .query((row, _) -> new Numbered(row.getLong("change_id"), change(row)))
                        .list();
        return Page.of(found, question.limit(), last -> Long.toString(last.number()))
                .map(Numbered::change);
    }

    private static SubscriptionChange change(ResultSet row) throws SQLException {
        String user = row.getString("user_id");
        String actingFor = row.getString("user_project_id");
        return new SubscriptionChange(
                row.getObject("recorded_at", OffsetDateTime.class).toInstant(),
                new Done(
                        Kind.valueOf(row.getString("kind")),
                        row.getObject("subscription_id", UUID.class),
                        new ProjectId(row.getString("project_id")),
                        Action.valueOf(row.getString("action")),
                        fields(row.getString("before")),
                        fields(row.getString("after"))),
                user == null ? null : new UserId(user),
                actingFor == null ? null : new ProjectId(actingFor),
                List.of((String[]) row.getArray("roles").getArray()),
                row.getString("authentication"),
                row.getString("request_id"),
                OriginSql.of(row),
                row.getString("reason"));
    }

    private static @Nullable Map<String, Object> fields(@Nullable String json) {
        return json == null ? null : FIELDS.readValue(json);
    }
}
