package org.leasehold.query.access;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.origin.OriginSql;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.PrivilegedReads;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Queries of the table of privileged reads. */
final class PostgresPrivilegedReads implements PrivilegedReads {

    private final JdbcClient jdbc;

    PostgresPrivilegedReads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Numbered(long number, PrivilegedRead read) {}

    @Override
    public Page<PrivilegedRead> list(ListReads query) {
        String marker = query.marker();
        long before = marker == null ? Long.MAX_VALUE : Page.parseMarker(marker, Long::valueOf);
        List<Numbered> found =
                jdbc.sql(
                                """
                                SELECT read_id, recorded_at, last_at, times, rule, path, filter,
                                    metadata ->> 'user' AS user_id,
                                    metadata ->> 'project' AS project_id,
                                    ARRAY(SELECT jsonb_array_elements_text(metadata -> 'roles')) AS roles,
                                    metadata ->> 'reason' AS reason,
                                    metadata ->> 'requestId' AS request_id, %s
                                FROM privileged_read %s
                                WHERE read_id < :before%s
                                ORDER BY read_id DESC LIMIT :limit
                                """
                                        .formatted(
                                                OriginSql.COLUMNS,
                                                OriginSql.join("metadata ->> 'requestId'"),
                                                conditions(query)))
                        .param("before", before)
                        .param("user", query.user())
                        .param("project", query.project())
                        .param("action", query.action())
                        .param("filter", query.filter())
                        .param("from", utc(query.from()))
                        .param("to", utc(query.to()))
                        .param("limit", query.limit() + 1)
                        .query((row, _) -> new Numbered(row.getLong("read_id"), read(row)))
                        .list();
        return Page.of(found, query.limit(), last -> Long.toString(last.number()))
                .map(Numbered::read);
    }

    /** Returns only the requested conditions: one statement for all would be planned for none. */
    private static String conditions(ListReads query) {
        return (query.user() == null ? "" : " AND metadata ->> 'user' = :user")
                + (query.project() == null ? "" : " AND metadata ->> 'project' = :project")
                + (query.action() == null ? "" : " AND rule = :action")
                + (query.filter() == null
                        ? ""
                        : " AND (position(:filter IN filter) > 0 OR position(:filter IN path) > 0)")
                + (query.from() == null ? "" : " AND recorded_at >= :from")
                + (query.to() == null ? "" : " AND recorded_at < :to");
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static PrivilegedRead read(ResultSet row) throws SQLException {
        return new PrivilegedRead(
                instant(row, "recorded_at"),
                instant(row, "last_at"),
                row.getLong("times"),
                new UserId(row.getString("user_id")),
                new ProjectId(row.getString("project_id")),
                List.of((String[]) row.getArray("roles").getArray()),
                row.getString("rule"),
                row.getString("path"),
                row.getString("filter"),
                row.getString("reason"),
                row.getString("request_id"),
                OriginSql.of(row));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
