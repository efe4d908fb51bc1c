package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Usages;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Sums over the table of bookings, and over the observed use. */
final class PostgresUsages implements Usages {

    private static final String BY_COLUMN =
            """
            SELECT %s AS value, kind, what, slots, needs, reservation_id, resource_id,
                greatest(starts, :from) AS starts, least(ends, :to) AS ends
            FROM booking WHERE %s\
            """;

    // Time before the first known state, in another system, counts with that first state.
    private static final String BY_RESOURCE_STATE =
            """
            SELECT m.value, b.kind, b.what, b.slots, b.needs, b.reservation_id, b.resource_id,
                greatest(b.starts, m.starts, :from) AS starts, least(b.ends, m.ends, :to) AS ends
            FROM (SELECT * FROM booking WHERE %2$s) b
                LEFT JOIN (
                    SELECT resource_id, %1$s AS value,
                        CASE WHEN row_number() OVER life > 1 THEN starts
                            ELSE '-infinity' END AS starts,
                        coalesce(lead(starts) OVER life, 'infinity') AS ends
                    FROM capacity_member JOIN capacity_pool USING (pool_id)
                    WHERE known_from <= :known
                    WINDOW life AS (PARTITION BY resource_id ORDER BY known_from)) m
                ON m.resource_id = b.resource_id AND m.starts < m.ends
                    AND m.starts < least(b.ends, :to) AND m.ends > greatest(b.starts, :from)\
            """;

    // An observation holds until the next one. If a clock was set back, the observation then
    // replaces the ones for later times.
    private static final String OBSERVATION_SUMS =
            """
            SELECT sum(seconds) AS observed, sum(seconds) FILTER (WHERE servers = 0) AS idle,
                sum(seconds * servers) AS servers, sum(seconds * vcpus) AS vcpus
            FROM (SELECT servers, vcpus, extract(epoch FROM
                      least(used.ends, until) - greatest(used.starts, seen)) AS seconds
                  FROM (SELECT *, coalesce(min(seen) OVER (ORDER BY position
                                ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 'infinity')
                            AS until
                        FROM observed_use
                        WHERE reservation_id = used.reservation_id
                            AND resource_id = used.resource_id AND position <= :known) look
                  WHERE seen < until AND seen < used.ends AND until > used.starts) looks\
            """;

    private final JdbcClient jdbc;

    PostgresUsages(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Page<Usage> page(ListUsage question) {
        Instant to = question.to().isAfter(question.now()) ? question.now() : question.to();
        BookingConditions conditions =
                new BookingConditions(question.filter(), question.from(), to, question.asOf());
        Key key = Key.of(question.by());
        Long asOf = question.asOf();
        conditions.setParameter("known", asOf == null ? Long.MAX_VALUE : asOf);
        conditions.setParameter("by", question.by());
        String beyond = "true";
        String marker = question.marker();
        if (marker != null) {
            beyond =
                    Page.parseMarker(
                            marker,
                            text -> key.afterMarkerCondition(UsageMarker.of(text), conditions));
        }
        if (!question.from().isBefore(to)) {
            return new Page<>(List.of(), null);
        }
        String lines =
                """
                SELECT value, kind,
                    coalesce(sum(seconds) FILTER (WHERE what = 'PROMISED'), 0) AS reserved,
                    coalesce(sum(seconds) FILTER (WHERE what = 'ACTIVE'), 0) AS active,
                    coalesce(sum(observed), 0) AS observed, coalesce(sum(idle), 0) AS idle,
                    coalesce(sum(servers), 0) AS servers, coalesce(sum(vcpus), 0) AS vcpus
                FROM (%s) used
                    CROSS JOIN LATERAL (SELECT slots * extract(epoch FROM ends - starts)) time (seconds)
                    LEFT JOIN LATERAL (%s) seen ON what = 'ACTIVE' AND needs IS NULL
                WHERE %s
                GROUP BY value, kind ORDER BY %s LIMIT :limit
                """
                        .formatted(key.used(conditions), OBSERVATION_SUMS, beyond, key.order());
        // One line more than requested shows whether there is a next page.
        conditions.setParameter("limit", question.limit() + 1);
        return Page.of(
                jdbc.sql(lines).params(conditions.values()).query((row, _) -> toUsage(row)).list(),
                question.limit(),
                last -> UsageMarker.after(last).text());
    }

    private static Usage toUsage(ResultSet row) throws SQLException {
        return new Usage(
                row.getString("value"),
                new ResourceKind(row.getString("kind")),
                row.getBigDecimal("reserved"),
                row.getBigDecimal("active"),
                new Use(
                        row.getBigDecimal("observed"),
                        row.getBigDecimal("idle"),
                        row.getBigDecimal("servers"),
                        row.getBigDecimal("vcpus")));
    }

    /**
     * The dimension that splits usage.
     *
     * @param used a relation of values and of parts of bookings, still without value and conditions
     * @param type of the values, by the database's name
     */
    private record Key(String used, String value, String type) {

        static Key of(@Nullable String by) {
            return switch (by) {
                case null -> new Key(BY_COLUMN, "NULL::text", "text");
                case BY_LEASE -> new Key(BY_COLUMN, "lease_id", "uuid");
                case BY_PROJECT -> new Key(BY_COLUMN, "project_id", "text");
                case BY_RESOURCE -> new Key(BY_COLUMN, "resource_id", "bigint");
                case BY_ZONE -> new Key(BY_RESOURCE_STATE, "zone", "text");
                default -> new Key(BY_RESOURCE_STATE, "properties ->> :by", "text");
            };
        }

        String used(BookingConditions conditions) {
            return used.formatted(value, conditions);
        }

        /** Returns the order; numbers and ids are not converted, so that an index finds pages. */
        String order() {
            return isText() ? "value IS NULL, coalesce(value, ''), kind" : "value, kind";
        }

        String afterMarkerCondition(UsageMarker marker, BookingConditions conditions) {
            conditions.setParameter("last_kind", marker.kind().value());
            String value = marker.value();
            if (isText()) {
                conditions.setParameter("lacks", value == null);
                conditions.setParameter("last", value == null ? "" : value);
            } else {
                conditions.setParameter("last", toColumnType(value));
            }
            return "(%s) > (%s:last, :last_kind)".formatted(order(), isText() ? ":lacks, " : "");
        }

        private Object toColumnType(@Nullable String value) {
            if (value == null) {
                throw new IllegalArgumentException("a marker of something else");
            }
            return type.equals("uuid") ? UUID.fromString(value) : (Object) Long.valueOf(value);
        }

        private boolean isText() {
            return type.equals("text");
        }
    }
}
