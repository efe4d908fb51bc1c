-- A long history of leases that lived one after the other, over a year, each with eight events, and
-- what auditors find them by: as the product writes them. No engine runs meanwhile.

SET synchronous_commit = off;
SET statement_timeout = 0;

-- Events are stored in the order of time, also those that are there already.
UPDATE domain_event SET recorded_at = now() - interval '366 days';

CREATE TEMP TABLE before AS
SELECT coalesce(max(position), 0) AS position, current_setting('bench.events')::bigint AS events
FROM domain_event;

INSERT INTO domain_event (position, event_id, stream_type, stream_id, sequence, event_type,
                          event_version, payload, metadata, decided_at, recorded_at)
OVERRIDING SYSTEM VALUE
SELECT before.position + n, gen_random_uuid(), 'Lease', id, sequence,
       (ARRAY['LeaseRequested', 'ReservationGranted', 'LeaseStarting', 'ReservationActivated',
              'LeaseActivated', 'LeaseEnding', 'ReservationReleased', 'LeaseEnded'])[sequence + 1],
       1,
       CASE sequence
           WHEN 0 THEN jsonb_build_object('leaseId', id, 'projectId', 'project-' || lease % 200,
               'userId', 'user-' || lease % 1000, 'name', 'lease ' || lease,
               'period', jsonb_build_object('start', at, 'end', at + interval '4 hours'),
               'reservations', jsonb_build_array(jsonb_build_object('id', reservation,
                   'kind', CASE lease % 10 WHEN 0 THEN 'virtual:instance' ELSE 'physical:host' END,
                   'parameters', jsonb_build_object('min', 1, 'max', 1,
                       'hypervisor_properties', '', 'resource_properties', '["==", "$gpu", "V100"]'))))
           WHEN 1 THEN jsonb_build_object('leaseId', id, 'reservationId', reservation,
               'period', jsonb_build_object('start', at, 'end', at + interval '4 hours'),
               'cleaning', 'PT0S', 'allocations', jsonb_build_array(jsonb_build_object(
                   'resource', lease % 2000 + 1, 'name', 'compute-' || lease % 2000 + 1,
                   'properties', jsonb_build_object('gpu', 'V100', 'vcpus', '64'))))
           WHEN 2 THEN jsonb_build_object('leaseId', id, 'tenures', tenures)
           WHEN 5 THEN jsonb_build_object('leaseId', id, 'tenures', tenures, 'cause', 'REQUESTED')
           WHEN 7 THEN jsonb_build_object('leaseId', id, 'cause', 'REQUESTED')
           WHEN 4 THEN jsonb_build_object('leaseId', id)
           ELSE jsonb_build_object('leaseId', id, 'reservationId', reservation) END,
       jsonb_build_object('requestId', 'req-' || lpad(to_hex(lease), 32, '0')::uuid,
           'roles', '[]'::jsonb, 'authentication', 'engine')
       || CASE WHEN sequence IN (0, 5)
               THEN jsonb_build_object('user', 'user-' || lease % 1000,
                   'project', 'project-' || lease % 200, 'roles', '["member"]'::jsonb,
                   'authentication', 'basic', 'reason', 'the nightly run')
               ELSE '{}' END,
       at, at
FROM before, generate_series(1, before.events) n,
    LATERAL (SELECT (n - 1) / 8 AS lease, (n - 1) % 8 AS sequence,
                    now() - interval '365 days' + interval '365 days' * (n::float8 / before.events) AS at),
    LATERAL (SELECT lpad(to_hex(lease), 32, '0')::uuid::text AS id,
                    lpad(to_hex(lease), 32, 'f')::uuid::text AS reservation),
    LATERAL (SELECT jsonb_build_array(
                 jsonb_build_object('reservation', reservation, 'generation', lease + 1)) AS tenures);

INSERT INTO audit_subject (sort, subject, position)
SELECT sort, subject, e.position
FROM before, domain_event e,
    LATERAL (SELECT (e.position - before.position - 1) / 8 AS lease),
    LATERAL (VALUES ('type', e.event_type), ('user', e.metadata ->> 'user'),
                    ('request', e.metadata ->> 'requestId'), ('project', 'project-' || lease % 200),
                    ('resource', e.payload #>> '{allocations,0,resource}'),
                    ('kind', CASE lease % 10 WHEN 0 THEN 'virtual:instance'
                                             ELSE 'physical:host' END)) found (sort, subject)
WHERE e.position > before.position AND subject IS NOT NULL
ORDER BY sort, subject, e.position;

SELECT setval(pg_get_serial_sequence('domain_event', 'position'), max(position)) FROM domain_event;

-- All processors and projections continue after these events. Only the feed of events reads them: the
-- product writes its entries by itself.
UPDATE token_entry
SET token = convert_to(regexp_replace(convert_from(token, 'UTF8'), '[0-9]+',
                                      (SELECT max(position) FROM domain_event)::text), 'UTF8');

UPDATE projection SET position = (SELECT max(position) FROM domain_event)
WHERE name <> 'entries' OR NOT current_setting('bench.published')::boolean;
