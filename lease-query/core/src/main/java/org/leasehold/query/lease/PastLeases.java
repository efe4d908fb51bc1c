package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lists of past leases. The entries of their requests show which ones existed. The last event that
 * decides the status selects those with a requested status. Each of these is computed from its
 * events up to then.
 */
final class PastLeases {

    /** The most leases that are computed together: one statement reads their events. */
    private static final int MAX_BATCH_SIZE = 200;

    private static final int MIN_BATCH_SIZE = 50;

    /** The most requests for one statement, which takes some tenths of a second for them. */
    private static final int MAX_SCANNED_PER_QUERY = 20_000;

    private static final int MAX_SCANNED_PER_PAGE = 200_000;

    /**
     * The statuses that a lease may have after an event that decides them. A failed lease may have
     * been retried since, by an event that does not name the status: its computed view shows it.
     */
    private static final String SELECT_POSSIBLE_STATUSES =
            """
            SELECT CASE event_type
                    WHEN 'LeaseRequested' THEN ARRAY['PENDING']
                    WHEN 'LeaseImported' THEN ARRAY[CASE payload #>> '{past,stage}'
                        WHEN 'FAILED' THEN 'ERROR' ELSE payload #>> '{past,stage}' END]
                    WHEN 'LeaseDelayed' THEN ARRAY['DELAYED']
                    WHEN 'LeaseStarting' THEN ARRAY['STARTING']
                    WHEN 'LeaseActivated' THEN ARRAY['ACTIVE']
                    WHEN 'ReservationFailed' THEN ARRAY['ERROR', 'STARTING', 'ACTIVE']
                    WHEN 'LeaseEnding' THEN ARRAY[CASE payload ->> 'cause'
                        WHEN 'DELETED' THEN 'DELETING' ELSE 'ENDING' END]
                    WHEN 'LeaseEnded' THEN ARRAY[CASE payload ->> 'cause'
                        WHEN 'DELETED' THEN 'DELETING' ELSE 'ENDED' END]
                    ELSE ARRAY[]::text[] END AS possible
            FROM domain_event
            WHERE stream_id = request.stream_id AND position <= ?
              AND (event_type IN ('LeaseRequested', 'LeaseImported', 'LeaseDelayed',
                      'LeaseStarting', 'LeaseActivated', 'LeaseEnding', 'LeaseEnded',
                      'LeaseDeleted')
                  OR event_type = 'ReservationFailed'
                      AND payload ->> 'action' IN ('START', 'ADJUST', 'END'))
            ORDER BY sequence DESC LIMIT 1\
            """;

    private final JdbcTemplate jdbc;
    private final EventStreams streams;

    PastLeases(JdbcTemplate jdbc, EventStreams streams) {
        this.jdbc = jdbc;
        this.streams = streams;
    }

    /** A lease and the position of its request, at which a page may end. */
    private record Placed<T>(long position, T lease) {}

    Page<LeaseView> page(ListLeases question, long asOf) {
        requireIndexed(question);
        String marker = question.marker();
        String list = "past:" + LeaseMarker.nameOf(question);
        Long position =
                marker == null
                        ? null
                        : Page.parseMarker(
                                marker,
                                text ->
                                        Long.valueOf(
                                                LeaseMarker.of(text, list, 1).keys().getFirst()));
        List<Placed<LeaseView>> found = new ArrayList<>();
        for (int lookedAt = 0; lookedAt < MAX_SCANNED_PER_PAGE; ) {
            int wanted =
                    Math.clamp(
                            question.limit() + 1L - found.size(), MIN_BATCH_SIZE, MAX_BATCH_SIZE);
            Requests requests = new Requests(question, asOf, position);
            List<Placed<String>> candidates = candidates(requests, wanted);
            found.addAll(matching(question, asOf, candidates));
            boolean all = candidates.size() < wanted;
            OptionalLong last =
                    all
                            ? lastScannedPosition(requests)
                            : OptionalLong.of(candidates.getLast().position());
            if (found.size() > question.limit() || last.isEmpty()) {
                return Page.of(found, question.limit(), end -> marker(list, end.position()))
                        .map(Placed::lease);
            }
            position = last.getAsLong();
            lookedAt += all ? MAX_SCANNED_PER_QUERY : wanted;
        }
        return new Page<>(
                found.stream().map(Placed::lease).toList(),
                marker(list, Objects.requireNonNull(position)));
    }

    private static void requireIndexed(ListLeases question) {
        LeaseFilter filter = question.filter();
        if (question.order().key() != LeaseOrder.Key.CREATED
                || !filter.equals(
                        LeaseFilter.of(filter.project(), filter.statuses(), filter.name()))) {
            throw new IllegalArgumentException("a list of the past has no index for " + question);
        }
    }

    private static String marker(String list, long position) {
        return new LeaseMarker(list, List.of(Long.toString(position))).text();
    }

    /** The requests of a project, or of all, beyond a position and known by then. */
    private static final class Requests {

        private final StringBuilder conditions = new StringBuilder("event_type = 'LeaseRequested'");
        private final List<Object> values = new ArrayList<>();
        private final ListLeases question;
        private final long asOf;

        Requests(ListLeases question, long asOf, @Nullable Long position) {
            this.question = question;
            this.asOf = asOf;
            conditions.append(" AND position <= ?");
            values.add(asOf);
            if (position != null) {
                conditions.append(isAscending() ? " AND position > ?" : " AND position < ?");
                values.add(position);
            }
            if (question.filter().project() != null) {
                conditions.append(" AND project_id = ?");
                values.add(question.filter().project().value());
            }
        }

        private boolean isAscending() {
            return question.order().direction() == SortDirection.ASCENDING;
        }

        String text() {
            return "SELECT position, stream_id FROM event_entry WHERE %s ORDER BY %s"
                    .formatted(conditions, order());
        }

        String order() {
            return "position" + (isAscending() ? "" : " DESC");
        }

        /** Returns the statuses as an array literal, in which nothing needs quotes. */
        String statuses() {
            List<LeaseStatus> all = Arrays.asList(LeaseStatus.values());
            Set<LeaseStatus> asked = question.filter().statuses();
            return (asked.isEmpty() ? all : asked)
                    .stream().map(LeaseStatus::name).collect(Collectors.joining(",", "{", "}"));
        }
    }

    private List<Placed<String>> candidates(Requests requests, int wanted) {
        List<Object> values = new ArrayList<>(requests.values);
        values.add(requests.asOf);
        values.add(requests.statuses());
        return jdbc.query(
                """
                SELECT position, stream_id
                FROM (%s LIMIT %s) AS request CROSS JOIN LATERAL (%s) AS status
                WHERE possible && ?::text[]
                ORDER BY %s LIMIT %s
                """
                        .formatted(
                                requests.text(),
                                Integer.toString(MAX_SCANNED_PER_QUERY),
                                SELECT_POSSIBLE_STATUSES,
                                requests.order(),
                                Integer.toString(wanted)),
                (row, _) -> new Placed<>(row.getLong(1), row.getString(2)),
                values.toArray());
    }

    /** Returns the position of the last request that one statement scans; empty at the end. */
    private OptionalLong lastScannedPosition(Requests requests) {
        return jdbc
                .query(
                        "%s OFFSET %s LIMIT 1"
                                .formatted(
                                        requests.text(),
                                        Integer.toString(MAX_SCANNED_PER_QUERY - 1)),
                        (row, _) -> row.getLong(1),
                        requests.values.toArray())
                .stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    private List<Placed<LeaseView>> matching(
            ListLeases question, long asOf, List<Placed<String>> requests) {
        List<String> ids = requests.stream().map(Placed::lease).toList();
        ConnectionCallback<List<RecordedEvent>> reading =
                connection -> streams.read(connection, ids, asOf);
        Map<String, List<RecordedEvent>> lives =
                Objects.requireNonNull(jdbc.execute(reading)).stream()
                        .collect(Collectors.groupingBy(RecordedEvent::stream));
        List<Placed<LeaseView>> matching = new ArrayList<>();
        for (Placed<String> request : requests) {
            LeaseView lease = LeaseFold.of(lives.getOrDefault(request.lease(), List.of()));
            if (lease != null && question.filter().matches(lease)) {
                matching.add(new Placed<>(request.position(), lease));
            }
        }
        return matching;
    }
}
