package org.leasehold.query.audit;

import org.leasehold.history.RecordedEvent;
import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.audit.AuditTrail;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The projection of the table {@code audit_subject}. One statement writes the rows of a batch of
 * events: everything is in the stored events already.
 */
final class AuditSubjectProjection implements Projection {

    static final String SUBJECT = "audit_subject";

    /** The paths of resources in events. */
    private static final String RESOURCES =
            """
            '$.resourceId', '$.allocations[*].resource', '$.replaced', '$.replacement.resource',
            '$.joining[*]', '$.leaving[*].resource', '$.left[*]'\
            """;

    private final JdbcTemplate jdbc;

    AuditSubjectProjection(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return AuditTrail.READ_MODEL;
    }

    @Override
    public List<String> tables() {
        return List.of(SUBJECT);
    }

    @Override
    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
        jdbc.update(
                insertSql(table.apply(SUBJECT)),
                events.getFirst().position(),
                events.getLast().position());
    }

    // Requests are in the events that make them. A refused change has only its own requests; those
    // of later events do not count for it. An event of one reservation has that one's kind only.
    // With OFFSET, earlier events are read for each event, and never joined as a whole.
    private static String insertSql(String table) {
        return """
        WITH batch AS MATERIALIZED (
            SELECT * FROM domain_event WHERE position BETWEEN ? AND ?),
        named AS MATERIALIZED (
            SELECT DISTINCT position, id #>> '{}' AS resource
            FROM batch, unnest(ARRAY[%1$s]::jsonpath[]) path, jsonb_path_query(payload, path) id)
        INSERT INTO %2$s (sort, subject, position)
        SELECT 'type', event_type, position FROM batch
        UNION ALL
        SELECT 'user', metadata ->> 'user', position FROM batch
        WHERE metadata ->> 'user' IS NOT NULL
        UNION ALL
        SELECT 'request', metadata ->> 'requestId', position FROM batch
        WHERE metadata ->> 'requestId' IS NOT NULL
        UNION ALL
        SELECT 'project', CASE
            WHEN stream_type IN ('Lease', 'Use') THEN (SELECT first.payload ->> 'projectId' FROM domain_event first
                               WHERE first.stream_id = batch.stream_id AND first.sequence = 0)
            ELSE '-' END, position
        FROM batch
        UNION ALL
        SELECT 'resource', resource, position FROM named
        UNION ALL
        SELECT 'kind', kind, position
        FROM (SELECT payload ->> 'kind' AS kind, position FROM batch WHERE stream_type <> 'Lease'
              UNION
              SELECT enrolled.payload ->> 'kind', named.position
              FROM named, LATERAL (
                  SELECT payload FROM domain_event
                  WHERE stream_id = named.resource AND sequence = 0 AND stream_type = 'Resource'
                  OFFSET 0) enrolled
              UNION
              SELECT wish ->> 'kind', batch.position
              FROM batch, LATERAL (
                  SELECT payload FROM domain_event before
                  WHERE before.stream_id = batch.stream_id
                    AND before.sequence <= batch.sequence
                    AND (before.event_type IN ('LeaseRequested', 'LeaseRetryScheduled',
                            'ReservationAdded')
                        OR before.position = batch.position)
                  OFFSET 0) asking,
                  unnest(ARRAY['$.reservations[*]', '$.reservation']::jsonpath[]) path,
                  jsonb_path_query(asking.payload, path) wish
              WHERE batch.stream_type = 'Lease'
                AND wish ->> 'id' = coalesce(batch.payload ->> 'reservationId',
                    batch.payload #>> '{reservation,id}',
                    batch.payload #>> '{tenure,reservation}', wish ->> 'id')) concerned
        WHERE kind IS NOT NULL
        """
                .formatted(RESOURCES, table);
    }
}
