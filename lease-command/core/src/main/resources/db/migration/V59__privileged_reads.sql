-- Reads across projects, for auditors. Equal ones within a minute are one row, which "once" identifies.
CREATE TABLE privileged_read (
    read_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    once        text        NOT NULL,
    times       bigint      NOT NULL DEFAULT 1,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    rule        text        NOT NULL,
    path        text        NOT NULL,
    filter      text        NOT NULL,
    metadata    jsonb       NOT NULL
);
CREATE UNIQUE INDEX privileged_read_once ON privileged_read (once);
CREATE INDEX privileged_read_recorded ON privileged_read (recorded_at);
CREATE INDEX privileged_read_user ON privileged_read ((metadata ->> 'user'), read_id);
CREATE INDEX privileged_read_rule ON privileged_read (rule, read_id);
