-- What was seen to run on resources while reservations had them. It holds from the instant it was seen
-- at until something else was seen, however long the reservation has the resource; before the first
-- nothing is known. Part of the read model of bookings.
CREATE TABLE observed_use (
    reservation_id uuid        NOT NULL,
    resource_id    bigint      NOT NULL,
    position       bigint      NOT NULL,
    seen           timestamptz NOT NULL,
    servers        int         NOT NULL,
    vcpus          int         NOT NULL,
    PRIMARY KEY (reservation_id, resource_id, position)
);

-- What the cloud has given and leases still have is few of what it ever gave.
CREATE INDEX booking_given ON booking (ends) WHERE what = 'ACTIVE' AND known_to IS NULL AND needs IS NULL;
