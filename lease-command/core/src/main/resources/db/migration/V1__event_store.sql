-- The position is assigned under one advisory lock, pg_advisory_xact_lock(1), that is held until the
-- commit, so that the order of positions is the order of commits and no reader ever sees an event
-- appear behind it. decided_at is the time that the decision went by, recorded_at the database's own.
CREATE TABLE domain_event (
    position      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id      uuid        NOT NULL,
    stream_type   text        NOT NULL,
    stream_id     text        NOT NULL,
    sequence      bigint      NOT NULL,
    event_type    text        NOT NULL,
    event_version smallint    NOT NULL,
    payload       jsonb       NOT NULL,
    metadata      jsonb       NOT NULL,
    decided_at    timestamptz NOT NULL,
    recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (stream_id, sequence)
);

-- Which answer a repeated request gets.
CREATE TABLE idempotency (
    project_id text        NOT NULL,
    key        text        NOT NULL,
    body_hash  text        NOT NULL,
    outcome    jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (project_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- Attempts that were rejected, kept for audit; they are in no stream.
CREATE TABLE denied_attempt (
    attempt_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target     text        NOT NULL,
    command    text        NOT NULL,
    rejection  jsonb       NOT NULL,
    metadata   jsonb       NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
