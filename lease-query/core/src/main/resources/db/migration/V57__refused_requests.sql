-- Projects ask why they were refused, and planners how often. The last column makes the indexes differ
-- from others of the table in their columns: a rebuild distinguishes indexes by these.
SET LOCAL statement_timeout = 0;  -- There may be many.
CREATE INDEX event_entry_refusal ON event_entry (position, event_type)
    WHERE event_type IN ('LeaseRefused', 'LeaseChangeRefused');
CREATE INDEX event_entry_project_refusal ON event_entry (project_id, position, event_type)
    WHERE event_type IN ('LeaseRefused', 'LeaseChangeRefused');
