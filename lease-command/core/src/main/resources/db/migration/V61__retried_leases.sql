-- How many leases of each project are retried: the calendar cannot hold them yet.
ALTER TABLE lease_count ADD COLUMN retried bigint NOT NULL DEFAULT 0;
