-- Addresses that are told what happens. Everything up to the position was told, or is in webhook_letter.
CREATE TABLE webhook (
    webhook_id       uuid        PRIMARY KEY,
    project_id       text        NOT NULL,
    everything       boolean     NOT NULL,
    user_id          text        NOT NULL,
    url              text        NOT NULL,
    types            text[]      NOT NULL,
    description      text,
    enabled          boolean     NOT NULL,
    disabled_because text,
    created_at       timestamptz NOT NULL,
    position         bigint      NOT NULL,
    -- The receiver asked for some peace until then.
    resting_until    timestamptz
);
CREATE INDEX webhook_project ON webhook (project_id);

-- What messages are signed with, so that they have to be readable; in a table of its own, so that who may
-- read the other need not read this. The newest has no end, those before have.
CREATE TABLE webhook_secret (
    webhook_id uuid   NOT NULL REFERENCES webhook ON DELETE CASCADE,
    number     bigint GENERATED ALWAYS AS IDENTITY,
    secret     text   NOT NULL,
    until      timestamptz,
    PRIMARY KEY (webhook_id, number)
);

-- Events that a receiver has not taken, and those of the same lease behind them. Without a next try it was
-- given up. A step is a place in the schedule of tries; attempts are counted for who looks.
CREATE TABLE webhook_letter (
    webhook_id uuid        NOT NULL REFERENCES webhook ON DELETE CASCADE,
    position   bigint      NOT NULL,
    stream     text        NOT NULL,
    event_id   uuid        NOT NULL,
    event_type text        NOT NULL,
    attempts   int         NOT NULL,
    step       int         NOT NULL,
    status     int,
    failure    text,
    first_at   timestamptz,
    last_at    timestamptz,
    next_at    timestamptz,
    PRIMARY KEY (webhook_id, position)
);
CREATE INDEX webhook_letter_waiting ON webhook_letter (webhook_id, stream, position)
    WHERE next_at IS NOT NULL;

-- Whose turn it is to tell; how far each webhook is stands with it.
INSERT INTO publication (name, position, until) VALUES ('webhooks', 0, now());
