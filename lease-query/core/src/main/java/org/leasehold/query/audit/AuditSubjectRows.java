package org.leasehold.query.audit;

import org.leasehold.history.Invariant;

/**
 * The expected subjects, up to the event of the read model. They are computed field by field, over
 * the whole history: another way than the one in which they are written.
 */
final class AuditSubjectRows {

    static final Invariant EVERY_EVENT_IS_FOUND_BY_WHAT_IT_IS_ABOUT =
            new Invariant(
                    AuditSubjectProjection.SUBJECT,
                    """
                    WITH event AS (
                        SELECT * FROM domain_event
                        WHERE position <= (SELECT position FROM projection WHERE name = 'audit')),
                    named AS (
                        SELECT e.position, named.id::text AS resource
                        FROM event e, LATERAL (
                            SELECT e.payload -> 'resourceId'
                            UNION SELECT e.payload -> 'replaced'
                            UNION SELECT e.payload #> '{replacement, resource}'
                            UNION SELECT each -> 'resource'
                                FROM jsonb_array_elements(e.payload -> 'allocations') each
                            UNION SELECT each -> 'resource'
                                FROM jsonb_array_elements(e.payload -> 'leaving') each
                            UNION SELECT jsonb_array_elements(e.payload -> 'joining')
                            UNION SELECT jsonb_array_elements(e.payload -> 'left')) named (id)
                        WHERE named.id IS NOT NULL),
                    enrolled AS (
                        SELECT payload ->> 'resourceId' AS resource, payload ->> 'kind' AS kind
                        FROM event WHERE event_type = 'ResourceEnrolled'),
                    wish AS (
                        SELECT stream_id, position, event_type,
                            each ->> 'id' AS id, each ->> 'kind' AS kind
                        FROM event, jsonb_array_elements(payload -> 'reservations') each
                        WHERE event_type IN ('LeaseRequested', 'LeaseRefused', 'LeaseRetryScheduled',
                            'LeaseChangeRefused')
                        UNION ALL
                        SELECT stream_id, position, event_type, payload #>> '{reservation,id}',
                            payload #>> '{reservation,kind}'
                        FROM event WHERE event_type = 'ReservationAdded'),
                    of_a_lease AS (
                        SELECT position, stream_id, CASE
                            WHEN payload ? 'reservationId' THEN payload ->> 'reservationId'
                            WHEN payload ? 'reservation' THEN payload #>> '{reservation,id}'
                            WHEN payload ? 'tenure' THEN payload #>> '{tenure,reservation}'
                            END AS reservation
                        FROM event WHERE stream_type = 'Lease'),
                    expected AS (
                        SELECT 'type' AS sort, event_type AS subject, position FROM event
                        UNION SELECT 'user', metadata ->> 'user', position FROM event
                        UNION SELECT 'request', metadata ->> 'requestId', position FROM event
                        UNION SELECT 'project', coalesce(first.payload ->> 'projectId', '-'),
                                e.position
                            FROM event e LEFT JOIN event first
                                ON e.stream_type IN ('Lease', 'Use')
                                AND first.stream_id = e.stream_id AND first.sequence = 0
                        UNION SELECT 'resource', resource, position FROM named
                        UNION SELECT 'kind', kind, position FROM named JOIN enrolled USING (resource)
                        UNION SELECT 'kind', payload ->> 'kind', position FROM event
                            WHERE event_type IN ('ResourceEnrolled', 'PropertyVisibility')
                        UNION SELECT 'kind', wish.kind, e.position
                            FROM of_a_lease e JOIN wish ON wish.stream_id = e.stream_id
                                AND (wish.position = e.position OR (wish.position < e.position
                                    AND wish.event_type IN ('LeaseRequested', 'LeaseRetryScheduled',
                                        'ReservationAdded')))
                            WHERE e.reservation IS NULL OR e.reservation = wish.id)
                    SELECT 'event ' || position || ' ' || sort || ' ' || subject,
                        CASE WHEN expected.there THEN 'found by it' ELSE 'nothing' END,
                        CASE WHEN found.there THEN 'found by it' ELSE 'nothing' END
                    FROM (SELECT *, true AS there FROM expected WHERE subject IS NOT NULL) expected
                        FULL JOIN (SELECT *, true AS there FROM audit_subject) found
                        USING (sort, subject, position)
                    WHERE expected.there IS DISTINCT FROM found.there
                    ORDER BY position, sort, subject
                    """);

    private AuditSubjectRows() {}
}
