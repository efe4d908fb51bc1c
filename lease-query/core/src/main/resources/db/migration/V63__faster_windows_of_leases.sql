-- Lists of a window, and of a resource, read few index entries and no rows, also among a million leases.
SET LOCAL statement_timeout = 0;  -- There may be a million leases: this takes half a minute for them.

-- Most leases end within days of their creation. So a window bounds their times of creation, and a
-- list goes along these. The far leases are collected; the condition is that of LeaseWindow.IS_FAR.
DROP INDEX lease_order;
CREATE INDEX lease_order ON lease (created_at, lease_id) INCLUDE (unfinished, starts, ends);
CREATE INDEX lease_far ON lease (starts, ends, lease_id) INCLUDE (created_at)
    WHERE ends - created_at > interval '14 days' OR created_at - starts > interval '1 day';

-- A change of "known_to" touches all indexes anyway: "booking_given" has it in its condition.
DROP INDEX booking_of_resource;
CREATE INDEX booking_of_resource ON booking (resource_id, ends) INCLUDE (lease_id, known_to);
