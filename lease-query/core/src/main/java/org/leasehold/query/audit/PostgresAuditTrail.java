package org.leasehold.query.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.audit.AuditCondition.Anything;
import org.leasehold.query.audit.AuditCondition.From;
import org.leasehold.query.audit.AuditCondition.OfLease;
import org.leasehold.query.origin.OriginSql;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.event.EventLogPositions;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A search that scans the events of the rarest subject, newest first, and tests each for the
 * others. The planner's estimates do not matter: there is one way only, however many events a
 * subject has.
 */
final class PostgresAuditTrail implements AuditTrail {

    /** The most events that one page scans: a page may be short, but never late. */
    static final int MAX_SCANNED_EVENTS = 5000;

    private static final int SCAN_BATCH_SIZE = 1000;

    /** Up to this many requests the search scans their events; with more, it tests origins. */
    static final int MAX_REQUESTS = 1000;

    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    private static final Pattern MARKER = Pattern.compile("[0-9]{1,18}");

    private static final String ENTRIES =
            """
            SELECT position, event_id, stream_type, stream_id, sequence, event_type, decided_at,
                recorded_at, payload, metadata ->> 'user' AS user_id,
                metadata ->> 'project' AS acting_for,
                ARRAY(SELECT role #>> '{}' FROM jsonb_path_query(metadata, '$.roles[*]') role) AS roles,
                metadata ->> 'authentication' AS authentication,
                metadata ->> 'requestId' AS request_id, metadata ->> 'causation' AS causation,
                metadata ->> 'reason' AS reason, %s,
                CASE WHEN stream_type IN ('Lease', 'Use') THEN
                    (SELECT first.payload ->> 'projectId' FROM domain_event first
                     WHERE first.stream_id = e.stream_id AND first.sequence = 0)
                    ELSE '-' END AS project_id
            FROM domain_event e %s
            WHERE position = ANY (:positions) ORDER BY position
            """
                    .formatted(OriginSql.COLUMNS, OriginSql.join("e.metadata ->> 'requestId'"));

    private final JdbcClient jdbc;
    private final EventLogPositions positions;

    PostgresAuditTrail(JdbcClient jdbc, EventLogPositions positions) {
        this.jdbc = jdbc;
        this.positions = positions;
    }

    /**
     * A scanned event.
     *
     * @param matches whether it meets all conditions
     */
    private record Looked(long position, boolean matches) {}

    private record Counted(AuditCondition condition, int events) {}

    @Override
    public Page<Entry> search(Search question) {
        PositionRange left = searchRange(question);
        AddressRange addresses = question.filter().addresses();
        if (addresses != null) {
            left = left.after(firstPositionWithOrigin());
        }
        AuditConditions conditions = conditions(question.filter(), left);
        List<Long> found = new ArrayList<>();
        for (int lookedAt = 0; lookedAt < MAX_SCANNED_EVENTS; lookedAt += SCAN_BATCH_SIZE) {
            int wanted = conditions.isOne() ? question.limit() + 1 : SCAN_BATCH_SIZE;
            List<Looked> looked = scanEvents(conditions, left, wanted);
            looked.stream().filter(Looked::matches).map(Looked::position).forEach(found::add);
            if (found.size() > question.limit() || looked.size() < wanted) {
                return page(found, question.limit());
            }
            left = left.before(looked.getLast().position());
        }
        return new Page<>(newestFirst(found), Long.toString(left.before()));
    }

    private AuditConditions conditions(Filter filter, PositionRange stretch) {
        List<AuditCondition> conditions = AuditConditions.of(filter);
        AddressRange addresses = filter.addresses();
        if (addresses != null) {
            List<String> requests = requestsFrom(addresses);
            conditions.add(new From(addresses, requests));
            if (requests.size() > MAX_REQUESTS && conditions.size() == 1) {
                conditions.addFirst(new Anything());
            }
        }
        if (conditions.isEmpty()) {
            conditions.add(new Anything());
        }
        return new AuditConditions(
                conditions.size() > 1 ? rarestFirst(conditions, stretch) : conditions);
    }

    /** Returns all of them, or one more than the limit for a scan. */
    private List<String> requestsFrom(AddressRange addresses) {
        return jdbc.sql(
                        "SELECT request_id FROM request_origin WHERE %s LIMIT %s"
                                .formatted(OriginSql.ADDRESS_CONDITION, MAX_REQUESTS + 1))
                .param("addresses", addresses.toString())
                .query(String.class)
                .list();
    }

    /**
     * Returns the position before which no event has a stored origin. The origin is recorded before
     * the events are stored, by the same clock, which may have been put back.
     */
    private long firstPositionWithOrigin() {
        return jdbc.sql("SELECT min(at) FROM request_origin")
                .query(OffsetDateTime.class)
                .optional()
                .map(oldest -> positions.at(oldest.toInstant().minus(CLOCK_TOLERANCE)))
                .orElse(Long.MAX_VALUE - 1);
    }

    private PositionRange searchRange(Search question) {
        // Events that are stored from now on lie after this page.
        long last = projectedPosition();
        Instant to = question.to();
        Instant from = question.from();
        PositionRange asked =
                new PositionRange(
                        from == null ? 0 : positions.at(from.minusNanos(1)),
                        (to == null ? last : Math.min(last, positions.at(to.minusNanos(1)))) + 1);
        String marker = question.marker();
        return marker == null ? asked : asked.before(parseMarker(marker));
    }

    private static long parseMarker(String marker) {
        if (!MARKER.matcher(marker).matches()) {
            throw new UnknownMarker(marker);
        }
        return Long.parseLong(marker);
    }

    private long projectedPosition() {
        return jdbc.sql("SELECT position FROM projection WHERE name = ?")
                .param(READ_MODEL)
                .query(Long.class)
                .single();
    }

    /** Sorts conditions by the number of their events in a range, counted up to a limit. */
    private List<AuditCondition> rarestFirst(
            List<AuditCondition> conditions, PositionRange stretch) {
        if (conditions.getFirst() instanceof OfLease) {
            return conditions;
        }
        return conditions.stream()
                .map(condition -> new Counted(condition, count(condition, stretch)))
                .sorted(Comparator.comparingInt(Counted::events))
                .map(Counted::condition)
                .toList();
    }

    private int count(AuditCondition condition, PositionRange stretch) {
        if (condition instanceof From(_, List<String> requests) && requests.size() > MAX_REQUESTS) {
            return Integer.MAX_VALUE;
        }
        return jdbc.sql(
                        "SELECT count(*) FROM (%s) counted"
                                .formatted(condition.scanSql(0, MAX_SCANNED_EVENTS)))
                .params(new AuditConditions(List.of(condition)).parameters(stretch))
                .query(Integer.class)
                .single();
    }

    private List<Looked> scanEvents(AuditConditions conditions, PositionRange stretch, int wanted) {
        return jdbc.sql(conditions.searchSql(wanted))
                .params(conditions.parameters(stretch))
                .query((row, _) -> new Looked(row.getLong(1), row.getBoolean(2)))
                .list();
    }

    private Page<Entry> page(List<Long> found, int limit) {
        Page<Long> page = Page.of(found, limit, last -> Long.toString(last));
        return new Page<>(newestFirst(page.items()), page.next());
    }

    private List<Entry> newestFirst(Collection<Long> found) {
        return entries(found).reversed();
    }

    private List<Entry> entries(Collection<Long> found) {
        return jdbc.sql(ENTRIES)
                .param("positions", found.toArray(Long[]::new))
                .query((row, _) -> entry(row))
                .list();
    }

    @Override
    public Set<ResourceId> findResourcesNamed(@Nullable ResourceKind kind, String name) {
        return jdbc.sql(
                        """
                        SELECT resource_id FROM resource
                        WHERE name = :name AND (:kind::text IS NULL OR kind = :kind)
                        """)
                .param("name", name)
                .param("kind", kind == null ? null : kind.value())
                .query((row, _) -> new ResourceId(row.getLong(1)))
                .set();
    }

    @Override
    public Optional<Entry> find(long position) {
        return entries(List.of(position)).stream().findFirst();
    }

    @Override
    public List<Entry> findCausedBy(String requestId, int limit) {
        return entries(
                jdbc.sql(
                                """
                                SELECT position FROM audit_subject
                                WHERE sort = 'request' AND subject = ? AND position <= ?
                                ORDER BY position LIMIT ?
                                """)
                        .params(requestId, projectedPosition(), limit)
                        .query(Long.class)
                        .list());
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                row.getLong("position"),
                row.getObject("event_id", UUID.class),
                row.getString("project_id"),
                row.getString("stream_type"),
                row.getString("stream_id"),
                row.getLong("sequence"),
                row.getString("event_type"),
                row.getString("user_id"),
                row.getString("acting_for"),
                List.of((String[]) row.getArray("roles").getArray()),
                row.getString("authentication"),
                row.getString("request_id"),
                OriginSql.of(row),
                row.getString("causation"),
                row.getString("reason"),
                instant(row, "decided_at"),
                instant(row, "recorded_at"),
                row.getString("payload"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
