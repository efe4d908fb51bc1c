-- Copies the only lease into the table of leases, as often as is asked for: of a hundred projects, the
-- largest with a tenth of all, over two years, in the order of the creation. Most have ended. Each has
-- one booking, of one of a thousand resources.

SET synchronous_commit = off;
SET statement_timeout = 0;

CREATE FUNCTION pg_temp.instant(timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

CREATE TEMP TABLE copied AS
SELECT number, gen_random_uuid() AS lease, gen_random_uuid() AS reservation,
       'project-' || floor(100 * random() ^ 2) AS project, 'user-' || floor(random() * 1000) AS owner,
       to_char(number::bigint * 7919 % 100000, 'FM00000') || '-night' AS name,
       CASE WHEN kind < 0.9 THEN '{physical:host}'
            WHEN kind < 0.985 THEN '{virtual:instance}'
            WHEN kind < 0.995 THEN '{virtual:network}'
            ELSE '{physical:host,virtual:floatingip}' END::text[] AS kinds,
       created, starts, starts + interval '30 minutes' + interval '3 days' * length ^ 2 AS ends
FROM generate_series(1, current_setting('bench.leases')::int) AS number
CROSS JOIN LATERAL (
    SELECT now() - interval '710 days'
               + number * (interval '720 days' / current_setting('bench.leases')::int) AS created,
           random() AS kind, random() AS ahead, random() AS length) drawn
CROSS JOIN LATERAL (
    SELECT date_trunc('minute', created + interval '20 days' * ahead ^ 2) + interval '1 minute' AS starts
) planned;

INSERT INTO lease (lease_id, project_id, status, created_at, view, name, user_id, starts, ends, kinds,
                   unfinished)
SELECT c.lease, c.project, c.status, c.created,
       (t.view::jsonb || jsonb_build_object(
           'id', c.lease, 'projectId', c.project, 'userId', c.owner, 'name', c.name, 'status', c.status,
           'createdAt', pg_temp.instant(c.created),
           'period', jsonb_build_object('start', pg_temp.instant(c.starts),
                                        'end', pg_temp.instant(c.ends)),
           'reservations', (
               SELECT jsonb_agg(t.view::jsonb #> '{reservations,0}' || jsonb_build_object('kind', kind))
               FROM unnest(c.kinds) AS kind)))::json,
       c.name, c.owner, c.starts, c.ends, c.kinds, c.status <> 'ENDED'
FROM (SELECT *, CASE WHEN ends < now() THEN 'ENDED'
                     WHEN starts < now() THEN 'ACTIVE' ELSE 'PENDING' END AS status
      FROM copied) c
CROSS JOIN (SELECT view FROM lease LIMIT 1) t
ORDER BY c.number;

INSERT INTO booking (lease_id, reservation_id, project_id, resource_id, kind, what, slots, starts, ends,
                     known_from)
SELECT lease, reservation, project, 1 + floor(random() * 1000), kinds[1], 'PROMISED', 1, starts, ends, 1
FROM copied;
