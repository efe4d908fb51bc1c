-- Auditors ask what plugins were asked at some time.
SET LOCAL statement_timeout = 0;  -- There may be many.
CREATE INDEX plugin_call_ended ON plugin_call (ended);
