package org.leasehold.query.entry;

import org.leasehold.history.RecordedEvent;
import org.leasehold.query.Feed;
import org.leasehold.query.projection.Projection;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The tables {@code event_entry} and {@code event_resource}. Two statements write what a batch of
 * events comes to: all of it is in the stored events already. The numbers follow from the positions
 * alone, so that a rebuild gives each event the number that consumers know it by.
 */
final class Entries implements Projection {

    static final String ENTRY = "event_entry";
    static final String RESOURCE = "event_resource";

    /** Where the events say which resources they are about. */
    private static final String PATHS =
            """
            '$.resourceId', '$.allocations[*].resource', '$.replaced', '$.replacement.resource',
            '$.joining[*]', '$.leaving[*].resource', '$.left[*]'\
            """;

    /** The types of those that do, besides all of the streams of resources. */
    static final String NAMING =
            "'ReservationGranted', 'ResourceReplaced', 'ReservationAdjusting',"
                + " 'ReservationAdjusted', 'ResourceFailed', 'ResourceRecovered', 'UseObserved'";

    private final JdbcTemplate jdbc;

    Entries(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return Feed.STANDS_ON;
    }

    @Override
    public List<String> tables() {
        return List.of(ENTRY, RESOURCE);
    }

    /** Whoever is told of events waits for their entries. */
    @Override
    public Duration rest() {
        return Duration.ofMillis(20);
    }

    @Override
    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
        long first = events.getFirst().position();
        long last = events.getLast().position();
        jdbc.update(writingEntries(table.apply(ENTRY)), first, last);
        jdbc.update(writingResources(table.apply(RESOURCE)), first, last);
    }

    // The last number is looked for by number: in the order of the other index, the planner may go
    // through the events of everybody else. And once for each project: for each event, it would be
    // looked for among all those that this statement has written before. Where there is no project,
    // there is no number, and the statement fails: no event is passed over.
    private static String writingEntries(String table) {
        return """
        WITH batch AS MATERIALIZED (
            SELECT *, CASE
                WHEN stream_type IN ('Lease', 'Use') THEN (SELECT first.payload ->> 'projectId' FROM domain_event first
                                   WHERE first.stream_id = domain_event.stream_id
                                     AND first.sequence = 0)
                ELSE '-' END AS project_id
            FROM domain_event WHERE position BETWEEN ? AND ?),
        standing AS MATERIALIZED (
            SELECT project_id, coalesce((SELECT last.number FROM %1$s last
                                         WHERE last.project_id = its.project_id
                                         ORDER BY last.number DESC LIMIT 1), 0) AS number
            FROM (SELECT DISTINCT project_id FROM batch) its)
        INSERT INTO %1$s
        SELECT e.position, e.event_id, e.project_id,
            s.number + row_number() OVER (PARTITION BY e.project_id ORDER BY e.position),
            e.stream_type, e.stream_id, e.sequence, e.event_type, e.metadata ->> 'user',
            e.metadata ->> 'requestId', e.metadata ->> 'causation', e.recorded_at
        FROM batch e LEFT JOIN standing s USING (project_id)
        """
                .formatted(table);
    }

    private static String writingResources(String table) {
        return """
        INSERT INTO %s
        SELECT DISTINCT id::bigint, position
        FROM domain_event, unnest(ARRAY[%s]::jsonpath[]) path, jsonb_path_query(payload, path) id
        WHERE position BETWEEN ? AND ? AND (stream_type = 'Resource' OR event_type IN (%s))
        """
                .formatted(table, PATHS, NAMING);
    }
}
