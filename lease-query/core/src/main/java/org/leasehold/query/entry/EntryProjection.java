package org.leasehold.query.entry;

import org.leasehold.history.RecordedEvent;
import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.event.EventFeed;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The projection of the tables {@code event_entry} and {@code event_resource}. Two statements write
 * the rows of a batch: everything is in the stored events already. The numbers follow from the
 * positions alone, so that a rebuild gives each event the number that consumers know.
 */
final class EntryProjection implements Projection {

    static final String ENTRY = "event_entry";
    static final String RESOURCE = "event_resource";

    /** The paths of resources in events. */
    private static final String RESOURCE_PATHS =
            """
            '$.resourceId', '$.allocations[*].resource', '$.replaced', '$.replacement.resource',
            '$.joining[*]', '$.leaving[*].resource', '$.left[*]'\
            """;

    /** The types of events with resources, besides all of the streams of resources. */
    static final String EVENT_TYPES_WITH_RESOURCES =
            "'ReservationGranted', 'ResourceReplaced', 'ReservationAdjusting',"
                + " 'ReservationAdjusted', 'ResourceFailed', 'ResourceRecovered', 'UseObserved'";

    private final JdbcTemplate jdbc;

    EntryProjection(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return EventFeed.READ_MODEL;
    }

    @Override
    public List<String> tables() {
        return List.of(ENTRY, RESOURCE);
    }

    /** Returns a short pause, because consumers wait for the entries. */
    @Override
    public Duration pauseAfterBatch() {
        return Duration.ofMillis(20);
    }

    @Override
    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
        long first = events.getFirst().position();
        long last = events.getLast().position();
        jdbc.update(insertEntriesSql(table.apply(ENTRY)), first, last);
        jdbc.update(insertResourcesSql(table.apply(RESOURCE)), first, last);
    }

    // The last number is found by number: with the other index, the planner may scan the events of
    // all others. It is read once for each project: for each event, it would be searched among all
    // that this statement has written before. Without a project there is no number, and the
    // statement fails: no event is skipped.
    private static String insertEntriesSql(String table) {
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
                                         WHERE last.project_id = projects.project_id
                                         ORDER BY last.number DESC LIMIT 1), 0) AS number
            FROM (SELECT DISTINCT project_id FROM batch) projects)
        INSERT INTO %1$s
        SELECT e.position, e.event_id, e.project_id,
            s.number + row_number() OVER (PARTITION BY e.project_id ORDER BY e.position),
            e.stream_type, e.stream_id, e.sequence, e.event_type, e.metadata ->> 'user',
            e.metadata ->> 'requestId', e.metadata ->> 'causation', e.recorded_at
        FROM batch e LEFT JOIN standing s USING (project_id)
        """
                .formatted(table);
    }

    private static String insertResourcesSql(String table) {
        return """
        INSERT INTO %s
        SELECT DISTINCT id::bigint, position
        FROM domain_event, unnest(ARRAY[%s]::jsonpath[]) path, jsonb_path_query(payload, path) id
        WHERE position BETWEEN ? AND ? AND (stream_type = 'Resource' OR event_type IN (%s))
        """
                .formatted(table, RESOURCE_PATHS, EVENT_TYPES_WITH_RESOURCES);
    }
}
