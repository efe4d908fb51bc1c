-- What of a resource is claimed, where it is not the whole: so many slots, and what each of them
-- needs of which resource class. Nothing but the tables' readers adds them up: whoever claims a
-- share has locked the resource's row.
ALTER TABLE claim
    ADD COLUMN share jsonb,
    ADD CONSTRAINT claim_is_shared_or_whole
        CHECK ((share IS NULL) = (occupancy <> '00000000-0000-0000-0000-000000000000'));

-- Several reservations may have shares of a resource in their hands at the same time.
ALTER TABLE holder
    ADD COLUMN shared boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT holder_pkey,
    ADD PRIMARY KEY (resource_id, reservation_id),
    ADD CONSTRAINT holder_is_exclusive EXCLUDE USING gist (
        resource_id WITH =,
        (CASE WHEN shared THEN '00000000-0000-0000-0000-000000000000'::uuid
              ELSE reservation_id END) WITH <>);
