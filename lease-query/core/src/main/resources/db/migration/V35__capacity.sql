-- How much of the resources is there and how much of that is taken, at any time: amounts are
-- millionths of a resource, and whole ones of what was refused, of which there may be very many; times
-- are exact to the millisecond. Everything here is what the events up to the position of the
-- projection "capacity" come to.

-- Resources that are alike: what is asked for is asked of pools, as there are far fewer of them than
-- resources. The pool without properties is of the kind as a whole: everything of the others counts in
-- it, too, and what was refused, as that was refused of nothing in particular.
CREATE TABLE capacity_pool (
    pool_id    uuid PRIMARY KEY,
    kind       text NOT NULL,
    region     text,
    zone       text,
    properties jsonb
);

-- In which pool a resource is, from starts to ends, or until something is decided; and since and until
-- before which event that was known. What it has of which resource class is what shares are parts of.
CREATE TABLE capacity_member (
    resource_id bigint      NOT NULL,
    pool_id     uuid        NOT NULL,
    reservable  boolean     NOT NULL,
    totals      jsonb       NOT NULL,
    starts      timestamptz NOT NULL,
    ends        timestamptz CHECK (starts <= ends),
    known_from  bigint      NOT NULL,
    known_to    bigint      CHECK (known_from < known_to),
    CHECK ((ends IS NULL) = (known_to IS NULL)),
    PRIMARY KEY (resource_id, known_from)
);

-- What of the bookings is known now.
CREATE TABLE capacity_span (
    lease_id       uuid        NOT NULL,
    reservation_id uuid        NOT NULL,
    resource_id    bigint      NOT NULL,
    what           text        NOT NULL,
    slots          int         NOT NULL,
    needs          jsonb,
    starts         timestamptz NOT NULL,
    ends           timestamptz NOT NULL,
    PRIMARY KEY (lease_id, reservation_id, resource_id, what, starts)
);
CREATE INDEX capacity_span_resource ON capacity_span (resource_id);

-- What was asked for and not to be had, by the shortages that a refusal names.
CREATE TABLE capacity_refusal (
    lease_id uuid        NOT NULL,
    position bigint      NOT NULL,
    number   int         NOT NULL,
    kind     text        NOT NULL,
    wanted   int         NOT NULL,
    starts   timestamptz NOT NULL,
    ends     timestamptz NOT NULL,
    PRIMARY KEY (position, number)
);

-- By how much more, or less, there is from an instant on.
CREATE TABLE capacity_change (
    pool_id    uuid        NOT NULL,
    at         timestamptz NOT NULL,
    enrolled   bigint      NOT NULL,
    reservable bigint      NOT NULL,
    reserved   bigint      NOT NULL,
    active     bigint      NOT NULL,
    refused    bigint      NOT NULL,
    PRIMARY KEY (pool_id, at)
);

-- The changes of an hour together: the sum of each; what they come to within the hour, in
-- milliseconds; and how far what is reserved rises at most, and what is left falls at most, above and
-- below where they were when the hour began.
CREATE TABLE capacity_hour (
    pool_id         uuid        NOT NULL,
    hour            timestamptz NOT NULL,
    enrolled        bigint      NOT NULL,
    reservable      bigint      NOT NULL,
    reserved        bigint      NOT NULL,
    active          bigint      NOT NULL,
    refused         bigint      NOT NULL,
    enrolled_time   bigint      NOT NULL,
    reservable_time bigint      NOT NULL,
    reserved_time   bigint      NOT NULL,
    active_time     bigint      NOT NULL,
    refused_time    bigint      NOT NULL,
    reserved_high   bigint      NOT NULL,
    headroom_low    bigint      NOT NULL,
    PRIMARY KEY (pool_id, hour)
);

INSERT INTO projection (name, position) VALUES ('capacity', 0);
