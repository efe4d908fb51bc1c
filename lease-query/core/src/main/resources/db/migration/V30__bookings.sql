-- What every lease has of every resource: PROMISED, what its project was to have, and ACTIVE, what of
-- that the cloud has given it. Twice in time: it holds from starts to ends, half-open and without
-- cleaning, and it was known from the event known_from on until before the event known_to; null for
-- what is still known. A reservation has at most one row of each sort for a resource at any instant,
-- as of any position.
CREATE TABLE booking (
    lease_id       uuid        NOT NULL,
    reservation_id uuid        NOT NULL,
    project_id     text        NOT NULL,
    resource_id    bigint      NOT NULL,
    -- The resource's: a reservation may have resources of several kinds.
    kind           text        NOT NULL,
    what           text        NOT NULL CHECK (what IN ('PROMISED', 'ACTIVE')),
    -- How many slots of the resource, and what each of them takes of it; null for the whole, which is
    -- one slot.
    slots          int         NOT NULL CHECK (slots > 0),
    needs          jsonb,
    starts         timestamptz NOT NULL,
    ends           timestamptz NOT NULL CHECK (starts < ends),
    known_from     bigint      NOT NULL,
    known_to       bigint      CHECK (known_from < known_to),
    PRIMARY KEY (lease_id, reservation_id, resource_id, what, starts, known_from)
);
CREATE INDEX booking_of_resource ON booking (resource_id, ends);
CREATE INDEX booking_of_project ON booking (project_id, ends);

INSERT INTO projection (name, position) VALUES ('bookings', 0);
