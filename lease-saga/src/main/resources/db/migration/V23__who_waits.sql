-- Who waits for whom is a table of its own: a saga was looked for in four queries at every event that
-- could end its wait, and hardly any lease waits.
CREATE TABLE waiting (
    lease_id       uuid NOT NULL,
    reservation_id uuid NOT NULL,
    PRIMARY KEY (lease_id, reservation_id)
);
CREATE INDEX waiting_reservation ON waiting (reservation_id);

-- By the events, because the saga may have been behind; and each tries again, because what it waits for
-- may have been let go since.
WITH delayed AS (
    SELECT DISTINCT ON (e.stream_id) e.stream_id AS lease, e.payload, json_build_object(
        'event', e.event_id, 'requestId', coalesce(e.metadata ->> 'requestId', e.event_id::text), 'at',
        to_char(e.decided_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) AS cause
    FROM domain_event e
    WHERE e.event_type = 'LeaseDelayed'
      AND NOT EXISTS (
          SELECT FROM domain_event later
          WHERE later.stream_id = e.stream_id AND later.sequence > e.sequence
            AND later.event_type IN ('LeaseStarting', 'LeaseEnding', 'LeaseEnded'))
    ORDER BY e.stream_id, e.sequence DESC),
waits AS (
    INSERT INTO waiting (lease_id, reservation_id)
    SELECT DISTINCT d.lease::uuid, awaited::uuid
    FROM delayed d, jsonb_array_elements_text(d.payload -> 'awaited') AS awaited)
INSERT INTO timer (task_instance, task_data, execution_time, version, priority)
SELECT 'start:' || d.lease,
       convert_to(json_build_object(
           'key', 'start:' || d.lease, 'due', d.cause ->> 'at', 'cause', d.cause, 'command',
           json_build_object('type', 'StartLease', 'leaseId', json_build_object('value', d.lease)))::text, 'UTF8'),
       now(), 1, 1
FROM delayed d
ON CONFLICT (task_instance) DO UPDATE
SET task_data = excluded.task_data, execution_time = excluded.execution_time, version = timer.version + 1;

DELETE FROM association_value_entry WHERE saga_type LIKE '%.WaitingSaga';
DELETE FROM saga_entry WHERE saga_type LIKE '%.WaitingSaga';
DELETE FROM token_entry WHERE processor_name = 'waiting';
