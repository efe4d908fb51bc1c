package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.calendar.timeline.Micros;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The queries of the table of claims, on the transaction's connection. Each is one statement, and
 * locks nothing.
 */
final class ClaimQueries {

    private static final String READ_SNAPSHOT =
            """
            SELECT (SELECT version FROM inventory_version),
                   (SELECT coalesce(max(position), 0) FROM domain_event),
                   CASE WHEN ? THEN ARRAY(SELECT resource_id FROM holder) END,
                   CASE WHEN ? THEN
                       ARRAY(SELECT resource_id FROM claim WHERE during && ?::tstzrange) END,
                   ARRAY(SELECT resource_id FROM claim WHERE during && w.during)
            FROM unnest(?::text[]::tstzrange[]) WITH ORDINALITY w (during, place)
            ORDER BY w.place
            """;

    private static final String HEAD =
            """
            SELECT version, (SELECT coalesce(max(position), 0) FROM domain_event) AS position
            FROM inventory_version
            """;

    // Not restricted to the resources: a generic plan expects few of them, and looks up each one.
    private static final String SURVEY =
            """
            SELECT (SELECT version FROM inventory_version),
                   (SELECT coalesce(max(position), 0) FROM domain_event),
                   ARRAY(SELECT resource_id FROM holder),
                   ARRAY(SELECT resource_id FROM holder WHERE NOT shared),
                   c.resources, c.starts, c.ends, c.shares
            FROM (SELECT array_agg(resource_id) AS resources,
                         array_agg((extract(epoch FROM lower(during)) * 1000000)::bigint) AS starts,
                         array_agg((extract(epoch FROM upper(during)) * 1000000)::bigint) AS ends,
                         array_agg(share::text) AS shares
                  FROM (SELECT resource_id, during, share FROM claim
                        WHERE during && ?::tstzrange LIMIT ?) near) c
            """;

    private static final String FIND_TOUCHING =
            """
            SELECT resource_id, share::text AS share,
                   (extract(epoch FROM lower(during)) * 1000000)::bigint AS starts,
                   (extract(epoch FROM upper(during)) * 1000000)::bigint AS ends
            FROM claim WHERE resource_id = ANY (?) AND during && ?::tstzrange
            """;

    // The position is that of the same snapshot: these claims do not include later events.
    private static final String FIND_UNEXPIRED =
            """
            SELECT e.position, c.lease_id, c.reservation_id, c.resource_id, c.share::text AS share,
                   (extract(epoch FROM lower(c.during)) * 1000000)::bigint AS starts,
                   (extract(epoch FROM upper(c.during)) * 1000000)::bigint AS ends
            FROM (SELECT coalesce(max(position), 0) AS position FROM domain_event) e
                 LEFT JOIN claim c ON upper(c.during) > ? AND (? OR c.lease_id = ANY (?))
            """;

    private final JdbcTemplate jdbc;

    ClaimQueries(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    CalendarSnapshot readSnapshot(CalendarSnapshot.Question question) {
        List<LeasePeriod> windows = List.copyOf(question.windows());
        return Objects.requireNonNull(
                jdbc.query(
                        READ_SNAPSHOT,
                        (ResultSetExtractor<CalendarSnapshot>) rows -> snapshot(rows, windows),
                        question.holders(),
                        question.counts(),
                        SqlArrays.range(Claims.spreadWindow(windows)),
                        SqlArrays.ranges(windows)));
    }

    private static CalendarSnapshot snapshot(ResultSet rows, List<LeasePeriod> windows)
            throws SQLException {
        long version = -1;
        long position = 0;
        Map<LeasePeriod, Set<ResourceId>> claimed = new HashMap<>();
        Set<ResourceId> held = Set.of();
        Map<ResourceId, Integer> counts = new HashMap<>();
        for (LeasePeriod window : windows) {
            rows.next();
            if (version < 0) {
                version = rows.getLong(1);
                position = rows.getLong(2);
                held = SqlArrays.resources(rows.getArray(3));
                for (long counted : SqlArrays.longs(rows.getArray(4))) {
                    counts.merge(new ResourceId(counted), 1, Integer::sum);
                }
            }
            claimed.put(window, SqlArrays.resources(rows.getArray(5)));
        }
        return new CalendarSnapshot(version, position, claimed, held, counts);
    }

    Claims.Head head() {
        return Objects.requireNonNull(
                jdbc.queryForObject(
                        HEAD,
                        (row, _) ->
                                new Claims.Head(row.getLong("version"), row.getLong("position"))));
    }

    Optional<Claims.Survey> survey(
            LeasePeriod span, Collection<ResourceId> resources, int maxClaims) {
        return Objects.requireNonNull(
                jdbc.query(
                        SURVEY,
                        (ResultSetExtractor<Optional<Claims.Survey>>)
                                rows -> survey(rows, Set.copyOf(resources), maxClaims),
                        SqlArrays.range(span),
                        maxClaims + 1L));
    }

    private static Optional<Claims.Survey> survey(
            ResultSet rows, Set<ResourceId> asked, int maxClaims) throws SQLException {
        rows.next();
        Long[] resources = SqlArrays.longs(rows.getArray(5));
        if (resources.length > maxClaims) {
            return Optional.empty();
        }
        Long[] starts = SqlArrays.longs(rows.getArray(6));
        Long[] ends = SqlArrays.longs(rows.getArray(7));
        @Nullable String[] shares = SqlArrays.texts(rows.getArray(8));
        List<Claim> claims = new ArrayList<>(resources.length);
        for (int i = 0; i < resources.length; i++) {
            ResourceId resource = new ResourceId(resources[i]);
            if (asked.contains(resource)) {
                LeasePeriod during =
                        new LeasePeriod(Micros.instant(starts[i]), Micros.instant(ends[i]));
                claims.add(new Claim(resource, during, ClaimColumns.share(shares[i])));
            }
        }
        return Optional.of(
                new Claims.Survey(
                        rows.getLong(1),
                        rows.getLong(2),
                        SqlArrays.resources(rows.getArray(3)),
                        SqlArrays.resources(rows.getArray(4)),
                        claims));
    }

    List<Claim> findTouching(List<ResourceId> resources, LeasePeriod window) {
        return jdbc.query(
                FIND_TOUCHING,
                (row, _) -> ClaimColumns.claim(row),
                SqlArrays.bigints(resources),
                SqlArrays.range(window));
    }

    Claims.Live findUnexpired(Instant now) {
        return live(now, true, Set.of());
    }

    Claims.Live findUnexpired(Set<LeaseId> leases, Instant now) {
        return live(now, false, leases);
    }

    private Claims.Live live(Instant now, boolean all, Set<LeaseId> leases) {
        return Objects.requireNonNull(
                jdbc.query(
                        FIND_UNEXPIRED,
                        (ResultSetExtractor<Claims.Live>) ClaimQueries::live,
                        now.atOffset(ZoneOffset.UTC),
                        all,
                        SqlArrays.array("uuid", leases.stream().map(LeaseId::value))));
    }

    private static Claims.Live live(ResultSet rows) throws SQLException {
        long position = 0;
        Map<LeaseId, Map<ReservationId, List<Claim>>> leases = new HashMap<>();
        while (rows.next()) {
            position = rows.getLong("position");
            UUID lease = rows.getObject("lease_id", UUID.class);
            if (lease != null) {
                leases.computeIfAbsent(new LeaseId(lease), _ -> new HashMap<>())
                        .computeIfAbsent(ClaimColumns.reservation(rows), _ -> new ArrayList<>())
                        .add(ClaimColumns.claim(rows));
            }
        }
        return new Claims.Live(position, leases);
    }
}
