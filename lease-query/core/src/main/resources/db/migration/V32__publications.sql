-- How far each publication is: everything up to this position has been taken by those whom it is for.
-- Whoever owns it goes on, says so every few seconds, and is succeeded when they do not.
CREATE TABLE publication (
    name     text        PRIMARY KEY,
    position bigint      NOT NULL,
    owner    text,
    until    timestamptz NOT NULL
);

INSERT INTO publication (name, position, until) VALUES ('kafka-events', 0, now());
