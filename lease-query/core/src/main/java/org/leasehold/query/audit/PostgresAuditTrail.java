package org.leasehold.query.audit;

import static java.util.stream.Collectors.joining;

import org.leasehold.query.AuditTrail;
import org.leasehold.query.Page;
import org.leasehold.query.Positions;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Walks along what is about the rarest subject of a search, newest first, and looks at each of that
 * whether it is about the others, too. What the planner thinks of subjects does not matter: however
 * many events one has, there is one way only.
 */
final class PostgresAuditTrail implements AuditTrail {

    /** Where what is looked for may be rare: an answer may be short, but never late. */
    static final int MOST_LOOKED_AT = 5000;

    private static final int AT_ONCE = 1000;

    private static final Pattern MARKER = Pattern.compile("[0-9]{1,18}");

    private static final String ENTRIES =
            """
            SELECT position, event_id, stream_type, stream_id, sequence, event_type, decided_at,
                recorded_at, payload, metadata ->> 'user' AS user_id,
                metadata ->> 'project' AS acting_for,
                ARRAY(SELECT role #>> '{}' FROM jsonb_path_query(metadata, '$.roles[*]') role) AS roles,
                metadata ->> 'authentication' AS authentication,
                metadata ->> 'requestId' AS request_id, metadata ->> 'causation' AS causation,
                metadata ->> 'reason' AS reason,
                CASE WHEN stream_type IN ('Lease', 'Use') THEN
                    (SELECT first.payload ->> 'projectId' FROM domain_event first
                     WHERE first.stream_id = e.stream_id AND first.sequence = 0)
                    ELSE '-' END AS project_id
            FROM domain_event e WHERE position = ANY (:positions) ORDER BY position
            """;

    private final JdbcClient jdbc;
    private final Positions positions;

    PostgresAuditTrail(JdbcClient jdbc, Positions positions) {
        this.jdbc = jdbc;
        this.positions = positions;
    }

    /**
     * An event that was looked at.
     *
     * @param matches whether it is about all that was asked for
     */
    private record Looked(long position, boolean matches) {}

    private record Counted(Condition condition, int events) {}

    @Override
    public Page<Entry> search(Search question) {
        List<Condition> conditions = Condition.of(question.filter());
        Stretch left = stretch(question);
        if (conditions.size() > 1) {
            conditions = rarestFirst(conditions, left);
        }
        List<Long> found = new ArrayList<>();
        for (int lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += AT_ONCE) {
            int wanted = conditions.size() > 1 ? AT_ONCE : question.limit() + 1;
            List<Looked> looked = look(conditions, left, wanted);
            looked.stream().filter(Looked::matches).map(Looked::position).forEach(found::add);
            if (found.size() > question.limit() || looked.size() < wanted) {
                return page(found, question.limit());
            }
            left = left.before(looked.getLast().position());
        }
        return new Page<>(newestFirst(found), Long.toString(left.before()));
    }

    private Stretch stretch(Search question) {
        // What is stored from now on is after what this answer can have.
        long last = standing();
        Instant to = question.to();
        Instant from = question.from();
        Stretch asked =
                new Stretch(
                        from == null ? 0 : positions.at(from.minusNanos(1)),
                        (to == null ? last : Math.min(last, positions.at(to.minusNanos(1)))) + 1);
        String marker = question.marker();
        return marker == null ? asked : asked.before(place(marker));
    }

    private static long place(String marker) {
        if (!MARKER.matcher(marker).matches()) {
            throw new IllegalArgumentException("not a marker: " + marker);
        }
        return Long.parseLong(marker);
    }

    private long standing() {
        return jdbc.sql("SELECT position FROM projection WHERE name = ?")
                .param(STANDS_ON)
                .query(Long.class)
                .single();
    }

    /** By how much is about them in a stretch, as far as it matters. */
    private List<Condition> rarestFirst(List<Condition> conditions, Stretch stretch) {
        if (conditions.getFirst().isLease()) {
            return conditions;
        }
        return conditions.stream()
                .map(condition -> new Counted(condition, count(condition, stretch)))
                .sorted(Comparator.comparingInt(Counted::events))
                .map(Counted::condition)
                .toList();
    }

    private int count(Condition condition, Stretch stretch) {
        return jdbc.sql(
                        "SELECT count(*) FROM (%s) counted"
                                .formatted(walk(List.of(condition), MOST_LOOKED_AT)))
                .params(parameters(List.of(condition), stretch))
                .query(Integer.class)
                .single();
    }

    private List<Looked> look(List<Condition> conditions, Stretch stretch, int wanted) {
        return jdbc.sql(
                        "SELECT position, %s AS matches FROM (%s) walked ORDER BY position DESC"
                                .formatted(others(conditions), walk(conditions, wanted)))
                .params(parameters(conditions, stretch))
                .query((row, _) -> new Looked(row.getLong(1), row.getBoolean(2)))
                .list();
    }

    /** Along the first condition. */
    private static String walk(List<Condition> conditions, int limit) {
        String along;
        if (conditions.isEmpty()) {
            along = "domain_event WHERE true";
        } else if (conditions.getFirst().isLease()) {
            along = "domain_event WHERE stream_id = :subject0 AND stream_type = 'Lease'";
        } else {
            along = "audit_subject WHERE sort = :sort0 AND subject = :subject0";
        }
        // A lease has few events, which its own index gives in this order, too.
        String order =
                !conditions.isEmpty() && conditions.getFirst().isLease() ? "sequence" : "position";
        return "SELECT position FROM %s AND position > :after AND position < :before ORDER BY %s DESC LIMIT %d"
                .formatted(along, order, limit);
    }

    // Not EXISTS, which the planner may turn into a join with all that is about the other subject.
    private static String others(List<Condition> conditions) {
        return conditions.size() < 2
                ? "true"
                : IntStream.range(1, conditions.size())
                        .mapToObj(
                                i ->
                                        """
                                        (SELECT true FROM audit_subject WHERE sort = :sort%d
                                           AND subject = :subject%d AND position = walked.position)
                                         IS NOT NULL\
                                        """
                                                .formatted(i, i))
                        .collect(joining(" AND "));
    }

    private static Map<String, Object> parameters(List<Condition> conditions, Stretch stretch) {
        Map<String, Object> parameters = new HashMap<>();
        for (int i = 0; i < conditions.size(); i++) {
            parameters.put("sort" + i, conditions.get(i).sort());
            parameters.put("subject" + i, conditions.get(i).subject());
        }
        parameters.put("after", stretch.after());
        parameters.put("before", stretch.before());
        return parameters;
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
    public Optional<Entry> find(long position) {
        return entries(List.of(position)).stream().findFirst();
    }

    @Override
    public List<Entry> because(String requestId, int limit) {
        return entries(
                jdbc.sql(
                                """
                                SELECT position FROM audit_subject
                                WHERE sort = 'request' AND subject = ? AND position <= ?
                                ORDER BY position LIMIT ?
                                """)
                        .params(requestId, standing(), limit)
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
