package org.leasehold.query.origin;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.OriginErasures;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;

/** Queries of the table of erasures. */
final class PostgresOriginErasures implements OriginErasures {

    private final JdbcClient jdbc;

    PostgresOriginErasures(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Numbered(long number, OriginErasure erasure) {}

    @Override
    public Page<OriginErasure> list(@Nullable String marker, int limit) {
        List<Numbered> found =
                jdbc.sql(
                                """
                                SELECT erasure_id, recorded_at, of_user, before, erased,
                                    metadata ->> 'user' AS user_id,
                                    metadata ->> 'project' AS project_id,
                                    metadata ->> 'requestId' AS request_id,
                                    metadata ->> 'reason' AS reason
                                FROM origin_erasure WHERE erasure_id < ?
                                ORDER BY erasure_id DESC LIMIT ?
                                """)
                        .params(
                                marker == null
                                        ? Long.MAX_VALUE
                                        : Page.parseMarker(marker, Long::valueOf),
                                limit + 1)
                        .query((row, _) -> new Numbered(row.getLong("erasure_id"), erasure(row)))
                        .list();
        return Page.of(found, limit, last -> Long.toString(last.number())).map(Numbered::erasure);
    }

    private static OriginErasure erasure(ResultSet row) throws SQLException {
        OffsetDateTime before = row.getObject("before", OffsetDateTime.class);
        return new OriginErasure(
                row.getObject("recorded_at", OffsetDateTime.class).toInstant(),
                new UserId(row.getString("user_id")),
                new ProjectId(row.getString("project_id")),
                row.getString("request_id"),
                row.getString("reason"),
                row.getString("of_user"),
                before == null ? null : before.toInstant(),
                row.getLong("erased"));
    }
}
