-- By which trust of Keystone's the engine acts as the user of a lease. Kept until the lease is over and the trust
-- deleted. It says how to act and not what happened, so that no event tells of it.
CREATE TABLE lease_trust (
    lease_id    uuid PRIMARY KEY,
    trust_id    text,                    -- null until there is one
    expected_at timestamptz NOT NULL
);
