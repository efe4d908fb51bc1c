-- Auditors ask what was tried in vain at some time.
SET LOCAL statement_timeout = 0;  -- Some have tried for years.
CREATE INDEX denied_attempt_recorded ON denied_attempt (recorded_at);
