-- Who knows the secret of one sees the calendar of its project. What is here is the secret's SHA-256:
-- it has 256 random bits, so that nobody finds it by trying.
CREATE TABLE calendar_feed (
    feed_id    uuid        PRIMARY KEY,
    hash       text        NOT NULL UNIQUE,
    project_id text        NOT NULL,
    user_id    text        NOT NULL,
    name       text,
    created_at timestamptz NOT NULL
);
CREATE INDEX calendar_feed_project ON calendar_feed (project_id, created_at);

-- Which leases there were as of a position, in the order in which they were asked for. An entry of an
-- earlier event never appears later, so that this is also the order of pages.
SET LOCAL statement_timeout = 0;  -- There may be many.
CREATE INDEX event_entry_request ON event_entry (position, stream_id)
    WHERE event_type = 'LeaseRequested';
CREATE INDEX event_entry_project_request ON event_entry (project_id, position, stream_id)
    WHERE event_type = 'LeaseRequested';
