-- The leases that there are go to a topic of their own, from the first event on.
INSERT INTO publication (name, position, until) VALUES ('kafka-leases', 0, now());

-- When the meters of all leases were read, and up to which event was known then. The rows stay: what was told
-- at an event follows from what had been read before it.
CREATE TABLE meter_reading (
    at       timestamptz PRIMARY KEY,
    position bigint      NOT NULL CHECK (position >= 0)
);
CREATE INDEX meter_reading_position ON meter_reading (position);

-- What leases have had goes to one topic: what each event tells of it, and what each reading does, as far as the
-- second of the last one.
INSERT INTO publication (name, position, until) VALUES
    ('kafka-usage', 0, now()), ('kafka-usage-readings', 0, now());
