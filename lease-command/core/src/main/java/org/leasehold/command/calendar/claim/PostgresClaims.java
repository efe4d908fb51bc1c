package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.calendar.timeline.Micros;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.support.SqlArrayValue;

import tools.jackson.databind.json.JsonMapper;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The claims in PostgreSQL, on the transaction's connection. */
public final class PostgresClaims implements Claims {

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

    // The lock of appends to the event log.
    private static final String LOCK_HEAD = "SELECT pg_advisory_xact_lock(1)";

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

    // Weaker than FOR UPDATE: claims on whole resources do not wait for it, and nothing waits for
    // them. The exclusion constraint decides which of them is first.
    private static final String LOCK =
            """
            SELECT resource_id FROM resource WHERE resource_id = ANY (?)
            ORDER BY resource_id FOR NO KEY UPDATE
            """;

    private static final String FIND_TOUCHING =
            """
            SELECT resource_id, share::text AS share,
                   (extract(epoch FROM lower(during)) * 1000000)::bigint AS starts,
                   (extract(epoch FROM upper(during)) * 1000000)::bigint AS ends
            FROM claim WHERE resource_id = ANY (?) AND during && ?::tstzrange
            """;

    // Locks resources and inserts claims in the order of the resources' ids, as all transactions
    // do: concurrent grants wait for each other, but never in a circle. A resource that changed
    // since the choice is left out, because the lock re-reads it.
    private static final String CLAIM =
            """
            INSERT INTO claim (resource_id, within, during, occupancy, reservation_id, lease_id,
                               project_id, cleaning, relies_on, share)
            SELECT r.resource_id, '00000000-0000-0000-0000-000000000000', w.during,
                   CASE WHEN o.share IS NULL THEN w.reservation_id
                        ELSE '00000000-0000-0000-0000-000000000000' END,
                   w.reservation_id, w.lease_id, w.project_id, make_interval(secs => ?),
                   w.relies_on::text[], o.share::jsonb
            FROM unnest(?::bigint[], ?::bigint[], ?::boolean[], ?::integer[], ?::text[])
                     AS o (resource_id, marker, kept, place, share)
                 JOIN unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[]::tstzrange[], ?::text[])
                     WITH ORDINALITY
                     AS w (reservation_id, lease_id, project_id, during, relies_on, place)
                     USING (place)
                 JOIN resource r ON r.resource_id = o.resource_id
            WHERE o.kept OR (r.state = 'ENROLLED' AND r.xmin::text::bigint = o.marker)
            ORDER BY r.resource_id
            FOR KEY SHARE OF r
            ON CONFLICT DO NOTHING
            RETURNING reservation_id, resource_id
            """;

    private static final String DELETE_ALL =
            """
            DELETE FROM claim WHERE reservation_id = ANY (?)
            RETURNING resource_id, reservation_id, lower(during) AS start, upper(during) AS end,
                      share::text AS share
            """;

    // Resources that were not held need no cleaning.
    private static final String REQUIRED_CLEANING =
            """
            CASE WHEN EXISTS (SELECT FROM holder h
                              WHERE h.resource_id = c.resource_id
                                AND h.reservation_id = c.reservation_id)
                 THEN c.cleaning ELSE interval '0' END
            """;

    // Not by a join of the claims with themselves: see the decision record 27.
    private static final String SHORTEN =
            """
            WITH ended AS (SELECT ?::timestamptz AS at, ?::uuid AS lease_id),
            dropped AS (
                DELETE FROM claim c USING ended e
                WHERE c.lease_id = e.lease_id AND lower(c.during) >= e.at + %1$s)
            UPDATE claim c
            SET during = tstzrange(lower(c.during), e.at + %1$s), cleaning = %1$s
            FROM ended e
            WHERE c.lease_id = e.lease_id
              AND lower(c.during) < e.at + %1$s AND upper(c.during) > e.at + %1$s
            """
                    .formatted(REQUIRED_CLEANING);

    // The position is that of the same snapshot: these claims do not include later events.
    private static final String FIND_UNEXPIRED =
            """
            SELECT e.position, c.lease_id, c.reservation_id, c.resource_id, c.share::text AS share,
                   (extract(epoch FROM lower(c.during)) * 1000000)::bigint AS starts,
                   (extract(epoch FROM upper(c.during)) * 1000000)::bigint AS ends
            FROM (SELECT coalesce(max(position), 0) AS position FROM domain_event) e
                 LEFT JOIN claim c ON upper(c.during) > ? AND (? OR c.lease_id = ANY (?))
            """;

    private static final String DELETE_ENDED =
            """
            DELETE FROM claim WHERE ctid IN (
                SELECT ctid FROM claim
                WHERE during << tstzrange(?, NULL, '[)') LIMIT ? FOR UPDATE SKIP LOCKED)
            """;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JdbcTemplate jdbc;
    private final Duration cleaning;

    public PostgresClaims(JdbcTemplate jdbc, Duration cleaning) {
        this.jdbc = jdbc;
        this.cleaning = cleaning;
    }

    @Override
    public Duration cleaning() {
        return cleaning;
    }

    @Override
    public CalendarSnapshot readSnapshot(CalendarSnapshot.Question question) {
        List<LeasePeriod> windows = List.copyOf(question.windows());
        return Objects.requireNonNull(
                jdbc.query(
                        READ_SNAPSHOT,
                        (ResultSetExtractor<CalendarSnapshot>) rows -> snapshot(rows, windows),
                        question.holders(),
                        question.counts(),
                        range(Claims.spreadWindow(windows)),
                        ranges(windows)));
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
                held = resources(rows.getArray(3));
                for (long counted : longs(rows.getArray(4))) {
                    counts.merge(new ResourceId(counted), 1, Integer::sum);
                }
            }
            claimed.put(window, resources(rows.getArray(5)));
        }
        return new CalendarSnapshot(version, position, claimed, held, counts);
    }

    @Override
    public Head head() {
        return Objects.requireNonNull(
                jdbc.queryForObject(
                        HEAD,
                        (row, _) -> new Head(row.getLong("version"), row.getLong("position"))));
    }

    @Override
    public void lockHead() {
        jdbc.query(LOCK_HEAD, (RowCallbackHandler) _ -> {});
    }

    @Override
    public Optional<Survey> survey(
            LeasePeriod span, Collection<ResourceId> resources, int maxClaims) {
        return Objects.requireNonNull(
                jdbc.query(
                        SURVEY,
                        (ResultSetExtractor<Optional<Survey>>)
                                rows -> survey(rows, Set.copyOf(resources), maxClaims),
                        range(span),
                        maxClaims + 1L));
    }

    private static Optional<Survey> survey(ResultSet rows, Set<ResourceId> asked, int maxClaims)
            throws SQLException {
        rows.next();
        Long[] resources = longs(rows.getArray(5));
        if (resources.length > maxClaims) {
            return Optional.empty();
        }
        Long[] starts = longs(rows.getArray(6));
        Long[] ends = longs(rows.getArray(7));
        @Nullable String[] shares = texts(rows.getArray(8));
        List<Claim> claims = new ArrayList<>(resources.length);
        for (int i = 0; i < resources.length; i++) {
            ResourceId resource = new ResourceId(resources[i]);
            if (asked.contains(resource)) {
                LeasePeriod during =
                        new LeasePeriod(Micros.instant(starts[i]), Micros.instant(ends[i]));
                claims.add(new Claim(resource, during, share(shares[i])));
            }
        }
        return Optional.of(
                new Survey(
                        rows.getLong(1),
                        rows.getLong(2),
                        resources(rows.getArray(3)),
                        resources(rows.getArray(4)),
                        claims));
    }

    private static @Nullable Share share(@Nullable String json) {
        return json == null ? null : JSON.readValue(json, Share.class);
    }

    @Override
    public Map<ReservationId, List<Claim>> deleteAll(Collection<ReservationId> reservations) {
        Map<ReservationId, List<Claim>> taken = new HashMap<>();
        jdbc.query(
                DELETE_ALL,
                (RowCallbackHandler)
                        row -> {
                            Claim claim =
                                    new Claim(
                                            new ResourceId(row.getLong("resource_id")),
                                            new LeasePeriod(
                                                    row.getTimestamp("start").toInstant(),
                                                    row.getTimestamp("end").toInstant()),
                                            share(row.getString("share")));
                            taken.computeIfAbsent(reservation(row), id -> new ArrayList<>())
                                    .add(claim);
                        },
                uuids(reservations));
        return taken;
    }

    @Override
    public void delete(ReservationId reservation, Collection<ResourceId> resources) {
        jdbc.update(
                "DELETE FROM claim WHERE reservation_id = ? AND resource_id = ANY (?)",
                reservation.value(),
                bigints(resources));
    }

    @Override
    public void lock(List<ResourceId> resources) {
        jdbc.query(LOCK, (RowCallbackHandler) _ -> {}, bigints(resources));
    }

    @Override
    public List<Claim> findTouching(List<ResourceId> resources, LeasePeriod window) {
        return jdbc.query(FIND_TOUCHING, (row, _) -> claim(row), bigints(resources), range(window));
    }

    private static Claim claim(ResultSet row) throws SQLException {
        return new Claim(
                new ResourceId(row.getLong("resource_id")),
                new LeasePeriod(
                        Micros.instant(row.getLong("starts")), Micros.instant(row.getLong("ends"))),
                share(row.getString("share")));
    }

    @Override
    public Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers) {
        List<Candidate> candidates = candidates(offers);
        Map<ReservationId, Set<ResourceId>> claimed = new LinkedHashMap<>();
        offers.forEach(offer -> claimed.put(offer.reservation(), new HashSet<>()));
        jdbc.query(
                CLAIM,
                (RowCallbackHandler)
                        row -> {
                            Objects.requireNonNull(claimed.get(reservation(row)))
                                    .add(new ResourceId(row.getLong("resource_id")));
                        },
                cleaning.toNanos() / 1e9,
                array("bigint", candidates.stream().map(c -> c.resource().value())),
                array("bigint", candidates.stream().map(Candidate::marker)),
                array("boolean", candidates.stream().map(Candidate::kept)),
                array("integer", candidates.stream().map(Candidate::index)),
                array("text", candidates.stream().map(Candidate::share)),
                array("uuid", offers.stream().map(offer -> offer.reservation().value())),
                array("uuid", offers.stream().map(offer -> offer.lease().value())),
                array("text", offers.stream().map(offer -> offer.project().value())),
                array("text", offers.stream().map(offer -> range(offer.window()))),
                array("text", offers.stream().map(offer -> textArray(offer.reliedOnProperties()))));
        return claimed;
    }

    private static List<Candidate> candidates(List<Offer> offers) {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < offers.size(); i++) {
            for (CachedResource resource : offers.get(i).resources()) {
                boolean kept = offers.get(i).kept().contains(resource.id());
                @Nullable Share share = resource.allocation().share();
                candidates.add(
                        new Candidate(
                                resource.id(),
                                resource.marker(),
                                kept,
                                i + 1,
                                share == null ? null : JSON.writeValueAsString(share)));
            }
        }
        return candidates;
    }

    @Override
    public Live findUnexpired(Instant now) {
        return live(now, true, Set.of());
    }

    @Override
    public Live findUnexpired(Set<LeaseId> leases, Instant now) {
        return live(now, false, leases);
    }

    private Live live(Instant now, boolean all, Set<LeaseId> leases) {
        return Objects.requireNonNull(
                jdbc.query(
                        FIND_UNEXPIRED,
                        (ResultSetExtractor<Live>) PostgresClaims::live,
                        now.atOffset(ZoneOffset.UTC),
                        all,
                        array("uuid", leases.stream().map(LeaseId::value))));
    }

    private static Live live(ResultSet rows) throws SQLException {
        long position = 0;
        Map<LeaseId, Map<ReservationId, List<Claim>>> leases = new HashMap<>();
        while (rows.next()) {
            position = rows.getLong("position");
            UUID lease = rows.getObject("lease_id", UUID.class);
            if (lease != null) {
                leases.computeIfAbsent(new LeaseId(lease), _ -> new HashMap<>())
                        .computeIfAbsent(reservation(rows), _ -> new ArrayList<>())
                        .add(claim(rows));
            }
        }
        return new Live(position, leases);
    }

    @Override
    public void shorten(LeaseId lease, Instant end) {
        jdbc.update(SHORTEN, end.atOffset(ZoneOffset.UTC), lease.value());
    }

    @Override
    public int deleteEndedBefore(Instant instant, int limit) {
        return jdbc.update(DELETE_ENDED, instant.atOffset(ZoneOffset.UTC), limit);
    }

    private static ReservationId reservation(ResultSet row) throws SQLException {
        return new ReservationId(row.getObject("reservation_id", UUID.class));
    }

    private static Set<ResourceId> resources(@Nullable Array array) throws SQLException {
        return Arrays.stream(longs(array)).map(ResourceId::new).collect(Collectors.toSet());
    }

    private static @Nullable String[] texts(@Nullable Array array) throws SQLException {
        return array == null ? new String[0] : (String[]) array.getArray();
    }

    private static Long[] longs(@Nullable Array array) throws SQLException {
        return array == null ? new Long[0] : (Long[]) array.getArray();
    }

    private static SqlArrayValue ranges(Collection<LeasePeriod> windows) {
        return array("text", windows.stream().map(PostgresClaims::range));
    }

    private static String range(LeasePeriod window) {
        return "[" + text(window.start()) + "," + text(window.end()) + ")";
    }

    /**
     * Formats an instant. A lease may end as late as the year 9999, and a look at the time after it
     * may go further.
     */
    private static String text(Instant instant) {
        // Java writes a sign before a year of five digits, which PostgreSQL takes for a zone.
        String text = instant.toString();
        return text.startsWith("+") ? text.substring(1) : text;
    }

    private static String textArray(Collection<String> texts) {
        return texts.stream()
                .map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    static SqlArrayValue bigints(Collection<ResourceId> resources) {
        return array("bigint", resources.stream().map(ResourceId::value));
    }

    static SqlArrayValue uuids(Collection<ReservationId> reservations) {
        return array("uuid", reservations.stream().map(ReservationId::value));
    }

    private static SqlArrayValue array(String type, Stream<?> elements) {
        return new SqlArrayValue(type, elements.toArray());
    }

    private record Candidate(
            ResourceId resource, long marker, boolean kept, int index, @Nullable String share) {}
}
