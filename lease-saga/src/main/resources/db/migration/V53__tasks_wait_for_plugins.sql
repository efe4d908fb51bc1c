-- The plug-in whose service a failed task waits for: the task is retried as soon as a call of it succeeds.
ALTER TABLE plugin_task ADD COLUMN waits_for text;
