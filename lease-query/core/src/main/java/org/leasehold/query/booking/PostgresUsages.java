package org.leasehold.query.booking;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.resource.RequirementProperties;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.usage.Usages;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Sums over the table of bookings, and over the observed use. */
final class PostgresUsages implements Usages {

    private static final ObjectReader PROPERTIES =
            new JsonMapper().readerFor(new TypeReference<TreeMap<String, String>>() {});

    // An observation holds until the next one. If a clock was set back, the observation then
    // replaces the ones for later times.
    static final String OBSERVATION_SUMS =
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
        List<UsageDimension> dimensions = UsageDimension.of(question.by());
        Long asOf = question.asOf();
        conditions.setParameter("known", asOf == null ? Long.MAX_VALUE : asOf);
        dimensions.forEach(dimension -> dimension.addParameters(conditions));
        String beyond = "true";
        String marker = question.marker();
        if (marker != null) {
            beyond =
                    Page.parseMarker(
                            marker,
                            text ->
                                    afterMarkerCondition(
                                            dimensions,
                                            UsageMarker.of(text, dimensions.size()),
                                            conditions));
        }
        if (!question.from().isBefore(to)) {
            return new Page<>(List.of(), null);
        }
        String columns =
                dimensions.stream().map(UsageDimension::column).collect(Collectors.joining(", "));
        String lines =
                """
                SELECT %1$s, kind,
                    coalesce(sum(seconds) FILTER (WHERE what = 'PROMISED'), 0) AS reserved,
                    coalesce(sum(seconds) FILTER (WHERE what = 'ACTIVE'), 0) AS active,
                    coalesce(sum(observed), 0) AS observed, coalesce(sum(idle), 0) AS idle,
                    coalesce(sum(servers), 0) AS servers, coalesce(sum(vcpus), 0) AS vcpus
                FROM (%2$s) used
                    CROSS JOIN LATERAL (SELECT slots * extract(epoch FROM ends - starts)) time (seconds)
                    LEFT JOIN LATERAL (%3$s) seen ON what = 'ACTIVE' AND needs IS NULL
                WHERE %4$s
                GROUP BY %1$s, kind ORDER BY %5$s LIMIT :limit
                """
                        .formatted(
                                columns,
                                used(question, dimensions, conditions),
                                OBSERVATION_SUMS,
                                beyond,
                                order(dimensions));
        // One line more than requested shows whether there is a next page.
        conditions.setParameter("limit", question.limit() + 1);
        return Page.of(
                jdbc.sql(lines)
                        .params(conditions.values())
                        .query((row, _) -> toUsage(row, dimensions.size()))
                        .list(),
                question.limit(),
                last -> UsageMarker.after(last, dimensions.size()).text());
    }

    private String used(
            ListUsage question, List<UsageDimension> dimensions, BookingConditions conditions) {
        String values =
                dimensions.stream()
                        .map(each -> each.expression() + " AS " + each.column())
                        .collect(Collectors.joining(", "));
        Requirement requirement = question.requirement();
        boolean isRestricted = !requirement.equals(Requirement.none());
        if (!isRestricted && dimensions.stream().noneMatch(UsageDimension::needsState)) {
            return """
            SELECT %s, b.kind, b.what, b.slots, b.needs, b.reservation_id, b.resource_id,
                greatest(b.starts, :from) AS starts, least(b.ends, :to) AS ends
            FROM booking b WHERE %s\
            """
                    .formatted(values, conditions);
        }
        if (isRestricted) {
            conditions.setParameter("matching", matchingPools(question.filter(), requirement));
        }
        // Time before the first known state, in another system, counts with that first state.
        return """
        SELECT %s, b.kind, b.what, b.slots, b.needs, b.reservation_id, b.resource_id,
            greatest(b.starts, m.starts, :from) AS starts, least(b.ends, m.ends, :to) AS ends
        FROM (SELECT * FROM booking WHERE %s) b
            LEFT JOIN (
                SELECT resource_id, pool_id, zone, properties,
                    CASE WHEN row_number() OVER life > 1 THEN starts
                        ELSE '-infinity' END AS starts,
                    coalesce(lead(starts) OVER life, 'infinity') AS ends
                FROM capacity_member JOIN capacity_pool USING (pool_id)
                WHERE known_from <= :known
                WINDOW life AS (PARTITION BY resource_id ORDER BY known_from)) m
            ON m.resource_id = b.resource_id AND m.starts < m.ends
                AND m.starts < least(b.ends, :to) AND m.ends > greatest(b.starts, :from)
        WHERE %s\
        """
                .formatted(
                        values, conditions, isRestricted ? "m.pool_id = ANY (:matching)" : "true");
    }

    /** Returns the pools of resources with the required properties, as queries of capacity do. */
    private UUID[] matchingPools(Filter filter, Requirement requirement) {
        ResourceKind kind =
                Objects.requireNonNull(filter.kind(), "kinds have their own properties");
        List<UUID> matching = new ArrayList<>();
        jdbc.sql(
                        """
                        SELECT pool_id, region, zone, properties FROM capacity_pool
                        WHERE kind = ? AND properties IS NOT NULL
                        """)
                .param(kind.value())
                .query(
                        row -> {
                            if (requirement.isMetBy(properties(row))) {
                                matching.add(row.getObject("pool_id", UUID.class));
                            }
                        });
        return matching.toArray(UUID[]::new);
    }

    private static Map<String, String> properties(ResultSet row) throws SQLException {
        Map<String, String> others = PROPERTIES.readValue(row.getString("properties"));
        return RequirementProperties.of(row.getString("region"), row.getString("zone"), others);
    }

    private static String order(List<UsageDimension> dimensions) {
        return dimensions.stream().map(UsageDimension::order).collect(Collectors.joining(", "))
                + ", kind";
    }

    private static String afterMarkerCondition(
            List<UsageDimension> dimensions, UsageMarker marker, BookingConditions conditions) {
        conditions.setParameter("last_kind", marker.kind().value());
        List<String> last = new ArrayList<>();
        for (int i = 0; i < dimensions.size(); i++) {
            last.add(dimensions.get(i).lastParameters(marker.values().get(i), conditions));
        }
        return "(%s) > (%s, :last_kind)".formatted(order(dimensions), String.join(", ", last));
    }

    private static Usage toUsage(ResultSet row, int dimensions) throws SQLException {
        return new Usage(
                row.getString("value"),
                dimensions == 1 ? null : row.getString("other"),
                new ResourceKind(row.getString("kind")),
                row.getBigDecimal("reserved"),
                row.getBigDecimal("active"),
                new Use(
                        row.getBigDecimal("observed"),
                        row.getBigDecimal("idle"),
                        row.getBigDecimal("servers"),
                        row.getBigDecimal("vcpus")));
    }
}
