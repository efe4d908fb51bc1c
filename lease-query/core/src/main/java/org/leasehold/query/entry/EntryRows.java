package org.leasehold.query.entry;

import org.leasehold.history.Invariant;

/**
 * The expected entries, up to the event of the read model. They are counted over the whole history:
 * another way than the one in which they are written.
 */
final class EntryRows {

    static final Invariant ENTRIES_MATCH_EVENTS =
            new Invariant(
                    EntryProjection.ENTRY,
                    """
                    SELECT 'event ' || position, coalesce(expected.entry::text, 'nothing'),
                        coalesce(found.entry::text, 'nothing')
                    FROM (SELECT e.position, ROW(e.event_id, p.project_id,
                              count(*) OVER (PARTITION BY p.project_id ORDER BY e.position),
                              e.stream_type, e.stream_id, e.sequence, e.event_type,
                              e.metadata ->> 'user', e.metadata ->> 'requestId',
                              e.metadata ->> 'causation', e.recorded_at) AS entry
                          FROM domain_event e
                              LEFT JOIN domain_event first ON e.stream_type IN ('Lease', 'Use')
                                  AND first.stream_id = e.stream_id AND first.sequence = 0,
                              LATERAL (SELECT coalesce(first.payload ->> 'projectId', '-')) AS p (project_id)
                          WHERE e.position <= (SELECT position FROM projection WHERE name = 'entries')
                         ) expected
                        FULL JOIN
                         (SELECT position, ROW(event_id, project_id, number, stream_type, stream_id,
                              sequence, event_type, user_id, request_id, causation, recorded_at) AS entry
                          FROM event_entry) found
                        USING (position)
                    WHERE expected.entry IS DISTINCT FROM found.entry
                    ORDER BY position
                    """);

    static final Invariant RESOURCES_MATCH_EVENTS =
            new Invariant(
                    EntryProjection.RESOURCE,
                    """
                    SELECT 'event ' || position || ' resource ' || resource_id,
                        CASE WHEN expected.there THEN 'named' ELSE 'nothing' END,
                        CASE WHEN found.there THEN 'named' ELSE 'nothing' END
                    FROM (SELECT DISTINCT e.position, named.id::bigint AS resource_id, true AS there
                          FROM domain_event e, LATERAL (
                              SELECT e.payload -> 'resourceId'
                              UNION ALL SELECT e.payload -> 'replaced'
                              UNION ALL SELECT e.payload #> '{replacement, resource}'
                              UNION ALL SELECT each -> 'resource'
                                  FROM jsonb_array_elements(e.payload -> 'allocations') each
                              UNION ALL SELECT each -> 'resource'
                                  FROM jsonb_array_elements(e.payload -> 'leaving') each
                              UNION ALL SELECT jsonb_array_elements(e.payload -> 'joining')
                              UNION ALL SELECT jsonb_array_elements(e.payload -> 'left')) named (id)
                          WHERE named.id IS NOT NULL AND
                              e.position <= (SELECT position FROM projection WHERE name = 'entries')
                         ) expected
                        FULL JOIN (SELECT position, resource_id, true AS there FROM event_resource) found
                        USING (position, resource_id)
                    WHERE expected.there IS DISTINCT FROM found.there
                    ORDER BY position, resource_id
                    """);

    private EntryRows() {}
}
