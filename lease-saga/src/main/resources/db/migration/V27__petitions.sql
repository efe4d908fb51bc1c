-- What became of what is written on things in the cloud: each wording is heard once. Who is granted a lease is in the events;
-- this says who need not be asked again, and what is wrong with the others.
CREATE TABLE petition (
    petition_id uuid PRIMARY KEY,        -- of the thing and of what is written on it
    begun_at    timestamptz NOT NULL,    -- when it was heard last
    answered_at timestamptz,             -- null as long as nothing has come of it
    problem     text,                    -- what its owner is told; null for nothing
    told_at     timestamptz,             -- when it was last tried to tell; null before
    seen_at     timestamptz NOT NULL     -- when it was there last, but for half a day
);
