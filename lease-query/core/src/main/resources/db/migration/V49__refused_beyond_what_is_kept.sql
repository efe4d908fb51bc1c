-- A change that is refused asked for what the lease had not got already, and for nothing in the past: what
-- was not met is less than what was wanted. All of it follows from the events: it is made anew. The column
-- is another one, so that a node that counts as before cannot go on writing.
TRUNCATE capacity_pool, capacity_member, capacity_span, capacity_look, capacity_refusal, capacity_change,
    capacity_hour;
ALTER TABLE capacity_refusal DROP COLUMN wanted, ADD COLUMN unmet int NOT NULL;
UPDATE projection SET position = 0 WHERE name = 'capacity';
