-- Timers are taken many at a time by the engine itself. Taking one puts it off for some seconds: if
-- the node that took it does not remove it by then, another one takes it.
ALTER TABLE timer
    DROP COLUMN task_name,
    DROP COLUMN picked,
    DROP COLUMN picked_by,
    DROP COLUMN last_success,
    DROP COLUMN last_failure,
    DROP COLUMN last_heartbeat,
    ALTER COLUMN consecutive_failures SET DEFAULT 0,
    ADD PRIMARY KEY (task_instance);
