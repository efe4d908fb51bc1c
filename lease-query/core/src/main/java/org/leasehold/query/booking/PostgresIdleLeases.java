package org.leasehold.query.booking;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.IdleLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/** Queries of the given bookings on whose resources nothing was observed to run. */
final class PostgresIdleLeases implements IdleLeases {

    private final JdbcClient jdbc;

    PostgresIdleLeases(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Page<IdleLease> page(ListIdleLeases question) {
        Instant to = question.to().isAfter(question.now()) ? question.now() : question.to();
        BookingConditions conditions =
                new BookingConditions(question.filter(), question.from(), to, question.asOf());
        Long asOf = question.asOf();
        conditions.setParameter("known", asOf == null ? Long.MAX_VALUE : asOf);
        // One line more than requested shows whether there is a next page.
        conditions.setParameter("limit", question.limit() + 1);
        String beyond = "true";
        String marker = question.marker();
        if (marker != null) {
            Marker last = Page.parseMarker(marker, Marker::of);
            conditions.setParameter("last_idle", last.idle());
            conditions.setParameter("last_lease", last.lease());
            conditions.setParameter("last_kind", last.kind().value());
            beyond = "(-idle, lease_id, kind) > (-:last_idle::numeric, :last_lease, :last_kind)";
        }
        if (!question.from().isBefore(to)) {
            return new Page<>(List.of(), null);
        }
        String query =
                """
                SELECT * FROM (
                    SELECT lease_id, project_id, kind, count(DISTINCT resource_id) AS resources,
                        min(began) AS since, bool_or(began < :to AND finishes >= :to) AS is_active,
                        sum(observed) AS idle
                    FROM (SELECT lease_id, project_id, kind, reservation_id, resource_id,
                              starts AS began, ends AS finishes,
                              greatest(starts, :from) AS starts, least(ends, :to) AS ends
                          FROM booking
                          WHERE %s AND what = 'ACTIVE' AND needs IS NULL) used
                        CROSS JOIN LATERAL (%s) seen
                    GROUP BY lease_id, project_id, kind
                    HAVING sum(observed) > 0 AND sum(servers) = 0) line
                WHERE %s AND %s
                ORDER BY idle DESC, lease_id, kind LIMIT :limit
                """
                        .formatted(
                                conditions,
                                PostgresUsages.OBSERVATION_SUMS,
                                question.activeOnly() ? "is_active" : "true",
                                beyond);
        return Page.of(
                jdbc.sql(query).params(conditions.values()).query((row, _) -> lease(row)).list(),
                question.limit(),
                last -> new Marker(last.idle(), last.lease().value(), last.kind()).text());
    }

    private static IdleLease lease(ResultSet row) throws SQLException {
        return new IdleLease(
                new LeaseId(row.getObject("lease_id", UUID.class)),
                new ProjectId(row.getString("project_id")),
                new ResourceKind(row.getString("kind")),
                row.getInt("resources"),
                row.getObject("since", OffsetDateTime.class).toInstant(),
                row.getBoolean("is_active"),
                row.getBigDecimal("idle"));
    }

    /** The end of a page. It contains no more than the page's last line does. */
    private record Marker(BigDecimal idle, UUID lease, ResourceKind kind) {

        /** The prefix that distinguishes it from other texts. */
        private static final String PREFIX = "idle ";

        /** Seconds without an exponent: a large one would make a number of a gigabyte. */
        private static final Pattern IDLE = Pattern.compile("[0-9]{1,20}(\\.[0-9]{1,9})?");

        String text() {
            return Page.encodeMarker(PREFIX + idle.toPlainString() + " " + lease + " " + kind);
        }

        static Marker of(String text) {
            String decoded = Page.decodeMarker(text);
            String[] parts = decoded.split(" ", -1);
            if (parts.length != 4
                    || !decoded.startsWith(PREFIX)
                    || !IDLE.matcher(parts[1]).matches()) {
                throw new IllegalArgumentException("not a marker: " + text);
            }
            return new Marker(
                    new BigDecimal(parts[1]),
                    LeaseId.of(parts[2]).value(),
                    new ResourceKind(parts[3]));
        }
    }
}
