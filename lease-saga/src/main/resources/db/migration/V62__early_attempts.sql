-- The retried requests that freed capacity wakes. Those of earlier versions get their row with their next
-- refused attempt. A row whose planned attempt is over may remain for a while. The event and its request are those of
-- the last refused attempt. woken_for is the time of the early attempt that follows it.
CREATE TABLE retried_request (
    lease_id     uuid PRIMARY KEY,
    kinds        text[] NOT NULL,
    starts       timestamptz NOT NULL,
    ends         timestamptz NOT NULL,
    since        timestamptz NOT NULL,
    next_attempt timestamptz NOT NULL,
    early_from   timestamptz,
    event_id     text NOT NULL,
    request_id   text NOT NULL,
    refused_at   timestamptz NOT NULL,
    woken_for    timestamptz
);
CREATE INDEX retried_request_next_attempt ON retried_request (next_attempt);
