-- First pages of filtered lists read few rows of the table, also among a million leases.
SET LOCAL statement_timeout = 0;  -- There may be a million leases: this takes a minute or two for them.

-- These get other columns below. Without them, the change of the table is faster.
DROP INDEX IF EXISTS lease_kinds, lease_project_name, lease_order;

-- Few leases are in error or being deleted. The database computes the column, and an index on it costs
-- nothing for other changes of the status. With its time of creation, the key sorts the leases of a
-- resource without a look at the table.
ALTER TABLE lease
    DROP CONSTRAINT lease_pkey,
    ADD PRIMARY KEY (lease_id) INCLUDE (created_at),
    ADD COLUMN needs_attention boolean
        NOT NULL GENERATED ALWAYS AS (status IN ('ERROR', 'DELETING')) STORED;
CREATE INDEX lease_needs_attention ON lease (created_at, lease_id, project_id) WHERE needs_attention;

-- Leases that have not ended are passed over without a look at the table.
CREATE INDEX lease_order ON lease (created_at, lease_id) INCLUDE (unfinished);

-- A list of a kind reads its leases of several kinds in the order of their creation, from this index
-- alone. Otherwise the database expects many more of them than there are.
CREATE INDEX lease_several_kinds ON lease (created_at, lease_id) INCLUDE (kinds, project_id)
    WHERE cardinality(kinds) > 1;
CREATE STATISTICS lease_number_of_kinds ON (cardinality(kinds)) FROM lease;

-- Leases of a name are sorted by the time of creation without a look at the table.
CREATE INDEX lease_project_name ON lease (project_id, name, created_at, lease_id);

ANALYZE lease;
