-- With an expression that nobody asks for, so that no scan but the constraint's own takes its index:
-- see the decision record 27.
ALTER TABLE holder
    DROP CONSTRAINT holder_is_exclusive,
    ADD CONSTRAINT holder_is_exclusive EXCLUDE USING gist (
        (resource_id + 0) WITH =,
        (CASE WHEN shared THEN '00000000-0000-0000-0000-000000000000'::uuid
              ELSE reservation_id END) WITH <>);

-- It may have lost a claim to the statement that ended leases before.
REINDEX INDEX claim_is_exclusive;
