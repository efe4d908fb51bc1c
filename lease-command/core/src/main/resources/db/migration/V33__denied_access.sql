-- What was not for its caller is an attempt, too, though no command was sent. Equal ones within a
-- minute are one row, found by what they have in common: whoever tries all day fills no disk.
SET LOCAL statement_timeout = 0;  -- Some have tried for years.
ALTER TABLE denied_attempt
    ADD COLUMN once    text,
    ADD COLUMN times   bigint NOT NULL DEFAULT 1,
    ADD COLUMN last_at timestamptz;
CREATE UNIQUE INDEX denied_attempt_once ON denied_attempt (once) WHERE once IS NOT NULL;

CREATE INDEX denied_attempt_target ON denied_attempt (target, attempt_id);
CREATE INDEX denied_attempt_user ON denied_attempt ((metadata ->> 'user'), attempt_id);
CREATE INDEX denied_attempt_project ON denied_attempt ((metadata ->> 'project'), attempt_id);
