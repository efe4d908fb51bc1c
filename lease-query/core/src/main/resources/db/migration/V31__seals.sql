-- The seal of each event: a hash of it and of the seal before it in its stream, and one of this and
-- of all seals before. No read model: made anew from edited events, it would say that they are as they
-- were. An event that was there before this table was is sealed as it is found.
CREATE TABLE seal (
    position  bigint PRIMARY KEY,
    stream_id text   NOT NULL,
    sequence  bigint NOT NULL,
    hash      bytea  NOT NULL,
    chain     bytea  NOT NULL
);
CREATE UNIQUE INDEX seal_stream ON seal (stream_id, sequence);

-- The last seal of each stream, and whose it is, as in event_entry.
CREATE TABLE sealed_stream (
    stream_id  text   PRIMARY KEY,
    project_id text   NOT NULL,
    sequence   bigint NOT NULL,
    hash       bytea  NOT NULL
);
CREATE INDEX sealed_stream_project ON sealed_stream (project_id, stream_id);

-- What was signed, in the order in which it was: everything up to a position. The head is the text that
-- the signature is of; the other columns are in it, too. A day has one head at most; those made for an
-- export have none.
CREATE TABLE seal_head (
    number    bigint PRIMARY KEY,
    day       date   UNIQUE,
    position  bigint NOT NULL,
    head      text   NOT NULL,
    signature bytea  NOT NULL
);

-- Keys that have signed, in the order in which they came. A key's text is signed by the one before it,
-- if that was at hand.
CREATE TABLE seal_key (
    number     bigint PRIMARY KEY,
    key_id     text   NOT NULL UNIQUE,
    public_key bytea  NOT NULL,
    since      timestamptz NOT NULL,
    signed_by  text,
    signature  bytea
);

INSERT INTO projection (name, position) VALUES ('seals', 0);
