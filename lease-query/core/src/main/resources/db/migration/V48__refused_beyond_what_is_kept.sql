-- A change that is refused asked for what the lease had not got already, and for nothing in the past.
-- All of it follows from the events: it is made anew.
TRUNCATE capacity_pool, capacity_member, capacity_span, capacity_look, capacity_refusal, capacity_change,
    capacity_hour;
UPDATE projection SET position = 0 WHERE name = 'capacity';
