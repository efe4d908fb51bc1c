-- What of what was given runs nothing is told of capacity, too. What was seen is kept as observed_use has
-- it, but up to the position of "capacity": what was seen of what is known now are spans, IDLE ones.
-- All of it follows from the events: it is made anew.
CREATE TABLE capacity_look (
    reservation_id uuid        NOT NULL,
    resource_id    bigint      NOT NULL,
    position       bigint      NOT NULL,
    seen           timestamptz NOT NULL,
    servers        int         NOT NULL,
    PRIMARY KEY (reservation_id, resource_id, position)
);

TRUNCATE capacity_pool, capacity_member, capacity_span, capacity_refusal, capacity_change,
    capacity_hour;
ALTER TABLE capacity_change ADD COLUMN idle bigint NOT NULL;
ALTER TABLE capacity_hour ADD COLUMN idle bigint NOT NULL, ADD COLUMN idle_time bigint NOT NULL;
UPDATE projection SET position = 0 WHERE name = 'capacity';
