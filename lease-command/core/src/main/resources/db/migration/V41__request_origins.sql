-- Where requests came from that led to an event or were denied, by the request's id, which both have.
-- These are personal data: they are erased after a while, or when somebody asks for it, and no event,
-- which is sealed, is touched by that. The address is null where a proxy told none that is one.
CREATE TABLE request_origin (
    request_id text COLLATE "C" PRIMARY KEY,
    user_id    text             NOT NULL,
    address    inet,
    agent      text,
    at         timestamptz      NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX request_origin_address ON request_origin (address);
CREATE INDEX request_origin_age ON request_origin (at);

-- Who had such rows erased, of whom, and why. It has neither addresses nor agents, and stays.
CREATE TABLE origin_erasure (
    erasure_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    of_user     text,
    before      timestamptz,
    erased      bigint      NOT NULL,
    metadata    jsonb       NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Attempts from an address are found by their requests.
SET LOCAL statement_timeout = 0;  -- Some have tried for years.
CREATE INDEX denied_attempt_request ON denied_attempt ((metadata ->> 'requestId'));
