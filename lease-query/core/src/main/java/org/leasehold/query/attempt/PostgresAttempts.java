package org.leasehold.query.attempt;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.origin.OriginSql;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.DeniedAttempts;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Queries of the table of attempts. */
final class PostgresAttempts implements DeniedAttempts {

    private static final String FROM_ADDRESSES =
            " AND metadata ->> 'requestId' IN (SELECT request_id FROM request_origin WHERE %s)"
                    .formatted(OriginSql.ADDRESS_CONDITION);

    private static final String AT_LEASES_OF =
            """
             AND EXISTS (SELECT FROM domain_event first
                         WHERE first.stream_id = target AND first.sequence = 0
                           AND first.stream_type = 'Lease'
                           AND first.payload ->> 'projectId' = :targetProject)\
            """;

    private final JdbcClient jdbc;

    PostgresAttempts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Numbered(long number, DeniedAttempt attempt) {}

    @Override
    public Page<DeniedAttempt> list(ListAttempts question) {
        String marker = question.marker();
        long before = marker == null ? Long.MAX_VALUE : Page.parseMarker(marker, Long::valueOf);
        AddressRange addresses = question.addresses();
        // Only the requested conditions: one statement for all would be planned for none.
        String where =
                (question.user() == null ? "" : " AND metadata ->> 'user' = :user")
                        + (question.project() == null
                                ? ""
                                : " AND metadata ->> 'project' = :project")
                        + (question.target() == null ? "" : " AND target = :target")
                        + (question.targetProject() == null ? "" : AT_LEASES_OF)
                        + (question.from() == null ? "" : " AND recorded_at >= :from")
                        + (question.to() == null ? "" : " AND recorded_at < :to")
                        + (addresses == null ? "" : FROM_ADDRESSES);
        List<Numbered> found =
                jdbc.sql(
                                """
                                SELECT attempt_id, recorded_at, coalesce(last_at, recorded_at) AS last_at,
                                    times, metadata ->> 'user' AS user_id,
                                    metadata ->> 'project' AS project_id,
                                    ARRAY(SELECT jsonb_array_elements_text(metadata -> 'roles')) AS roles,
                                    command, target, rejection ->> 'type' AS why,
                                    metadata ->> 'requestId' AS request_id, %s
                                FROM denied_attempt %s
                                WHERE attempt_id < :before%s
                                ORDER BY attempt_id DESC LIMIT :limit
                                """
                                        .formatted(
                                                OriginSql.COLUMNS,
                                                OriginSql.join("metadata ->> 'requestId'"),
                                                where))
                        .param("before", before)
                        .param("user", question.user())
                        .param("project", question.project())
                        .param("target", question.target())
                        .param("targetProject", question.targetProject())
                        .param("from", utc(question.from()))
                        .param("to", utc(question.to()))
                        .param("addresses", addresses == null ? null : addresses.toString())
                        .param("limit", question.limit() + 1)
                        .query((row, _) -> new Numbered(row.getLong("attempt_id"), attempt(row)))
                        .list();
        return Page.of(found, question.limit(), last -> Long.toString(last.number()))
                .map(Numbered::attempt);
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static DeniedAttempt attempt(ResultSet row) throws SQLException {
        return new DeniedAttempt(
                instant(row, "recorded_at"),
                instant(row, "last_at"),
                row.getLong("times"),
                new UserId(row.getString("user_id")),
                new ProjectId(row.getString("project_id")),
                List.of((String[]) row.getArray("roles").getArray()),
                row.getString("command"),
                row.getString("target"),
                row.getString("why"),
                row.getString("request_id"),
                OriginSql.of(row));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
