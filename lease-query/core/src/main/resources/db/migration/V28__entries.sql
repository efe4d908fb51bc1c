-- How far each read model is that follows the events at a distance: it includes all of them up to
-- this position. The row is locked by whoever goes on, and moves in the transaction of what follows.
CREATE TABLE projection (
    name     text   PRIMARY KEY,
    position bigint NOT NULL
);

-- An entry for each event: whose it is, and its number among those of its project, from 1, without a
-- gap. An event of a lease is its project's, whoever caused it; all others are of the project '-'.
CREATE TABLE event_entry (
    position    bigint      PRIMARY KEY,
    event_id    uuid        NOT NULL,
    project_id  text        NOT NULL,
    number      bigint      NOT NULL,
    stream_type text        NOT NULL,
    stream_id   text        NOT NULL,
    sequence    bigint      NOT NULL,
    event_type  text        NOT NULL,
    user_id     text,
    request_id  text,
    causation   text,
    recorded_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX event_entry_number ON event_entry (project_id, number);
CREATE INDEX event_entry_project ON event_entry (project_id, position);

-- Which resources an event names.
CREATE TABLE event_resource (
    resource_id bigint NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (resource_id, position)
);

INSERT INTO projection (name, position) VALUES ('entries', 0);
