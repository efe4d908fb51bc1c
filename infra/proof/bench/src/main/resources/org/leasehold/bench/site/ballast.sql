-- Copies two leases that the product has made, one ahead and one that is over, as often as is asked
-- for: with other ids, on other hosts, at other times, and otherwise as the product writes them.

SET synchronous_commit = off;
SET statement_timeout = 0;

CREATE TEMP TABLE template AS
SELECT l.lease_id, l.view ->> 'name' AS name,
       l.view #>> '{reservations,0,id}' AS reservation,
       l.view #>> '{period,start}' AS starts, l.view #>> '{period,end}' AS ends,
       l.view ->> 'beforeEnd' AS before_end, l.view ->> 'createdAt' AS created,
       g.payload #>> '{allocations,0,name}' AS host, g.payload #>> '{allocations,0,resource}' AS resource
FROM lease l
JOIN domain_event g ON g.stream_id = l.lease_id::text AND g.event_type = 'ReservationGranted'
WHERE l.view ->> 'name' IN ('ahead', 'over');

CREATE TEMP TABLE template_event AS
SELECT e.* FROM domain_event e JOIN template t ON t.lease_id::text = e.stream_id;

CREATE TEMP TABLE host AS
SELECT row_number() OVER (ORDER BY resource_id) - 1 AS number, resource_id, name
FROM resource WHERE kind = 'physical:host' AND state = 'ENROLLED';

-- One after the other on each host, in steps of three days from tomorrow on, or backwards from last
-- week; for one half to four hours.
CREATE TEMP TABLE copied AS
SELECT t.*, gen_random_uuid() AS new_lease, gen_random_uuid() AS new_reservation,
       h.resource_id AS new_resource, h.name AS new_host, w.starts AS new_starts,
       w.starts + w.length AS new_ends,
       greatest(w.starts, w.starts + w.length - interval '1 hour') AS new_before_end,
       least(now(), w.starts - w.ahead) AS new_created
FROM template t
CROSS JOIN generate_series(0, current_setting('bench.' || t.name)::int - 1) AS copy (number)
JOIN host h ON h.number = copy.number % (SELECT count(*) FROM host)
CROSS JOIN LATERAL (
    SELECT date_trunc('minute', now())
               + CASE t.name WHEN 'ahead' THEN interval '1 day' ELSE interval '-7 days' END
               + CASE t.name WHEN 'ahead' THEN 1 ELSE -1 END
                   * (copy.number / (SELECT count(*) FROM host)) * interval '3 days'
               + floor(random() * 60 * 60) * interval '1 minute' AS starts,
           ceil(random() * 8) * interval '30 minutes' AS length,
           CASE t.name WHEN 'ahead' THEN interval '40 days' ELSE interval '1 day' END
               + random() * interval '1 day' AS ahead
) w;

CREATE FUNCTION pg_temp.instant(timestamptz, text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS' || $2 || '"Z"') $$;

CREATE FUNCTION pg_temp.reworded(text, pg_temp.copied) RETURNS text LANGUAGE sql IMMUTABLE AS
$$
SELECT replace(replace(replace(replace(replace(replace(replace(replace($1,
    $2.lease_id::text, $2.new_lease::text),
    $2.reservation, $2.new_reservation::text),
    $2.starts, pg_temp.instant($2.new_starts, '')),
    $2.ends, pg_temp.instant($2.new_ends, '')),
    coalesce($2.before_end, 'never'), pg_temp.instant($2.new_before_end, '')),
    $2.created, pg_temp.instant($2.new_created, '.US')),
    '"' || $2.host || '"', '"' || $2.new_host || '"'),
    '"resource": ' || $2.resource, '"resource": ' || $2.new_resource)
$$;

INSERT INTO domain_event (event_id, stream_type, stream_id, sequence, event_type, event_version, payload,
                          metadata, decided_at, recorded_at)
SELECT gen_random_uuid(), e.stream_type, c.new_lease::text, e.sequence, e.event_type, e.event_version,
       pg_temp.reworded(e.payload::text, c)::jsonb, e.metadata, c.new_created, c.new_created
FROM copied c
CROSS JOIN LATERAL (
    SELECT * FROM template_event t WHERE t.stream_id = c.lease_id::text ORDER BY t.sequence
) e;

INSERT INTO claim (resource_id, within, during, occupancy, reservation_id, lease_id, project_id, cleaning,
                   relies_on)
SELECT c.new_resource, t.within, tstzrange(c.new_starts, c.new_ends), c.new_reservation, c.new_reservation,
       c.new_lease, t.project_id, t.cleaning, t.relies_on
FROM copied c JOIN claim t ON t.lease_id = c.lease_id
WHERE c.name = 'ahead';

INSERT INTO lease (lease_id, project_id, status, created_at, view, name, user_id, starts, ends, kinds,
                   unfinished)
SELECT c.new_lease, t.project_id, t.status, c.new_created,
       replace(pg_temp.reworded(t.view::text, c), '"resource":' || c.resource || ',',
               '"resource":' || c.new_resource || ',')::json,
       t.name, t.user_id, c.new_starts, c.new_ends, t.kinds, t.unfinished
FROM copied c JOIN lease t ON t.lease_id = c.lease_id;

INSERT INTO timer (task_instance, task_data, execution_time, version, priority)
SELECT replace(t.task_instance, c.lease_id::text, c.new_lease::text),
       convert_to(pg_temp.reworded(convert_from(t.task_data, 'UTF8'), c), 'UTF8'),
       CASE t.execution_time
           WHEN c.ends::timestamptz THEN c.new_ends
           WHEN c.before_end::timestamptz THEN c.new_before_end
           ELSE c.new_starts
       END,
       t.version, t.priority
FROM copied c JOIN timer t ON t.task_instance LIKE '%:' || c.lease_id::text;

-- All processors and projections continue after these events.
UPDATE token_entry
SET token = convert_to(regexp_replace(convert_from(token, 'UTF8'), '[0-9]+',
                                      (SELECT max(position) FROM domain_event)::text), 'UTF8');

UPDATE projection SET position = (SELECT max(position) FROM domain_event);
