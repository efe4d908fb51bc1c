-- How many leases of each project are not over. The transaction of a command writes it after its
-- events, under the lock of all appends. Each update leaves room for the next one on the same page.
CREATE TABLE lease_count (
    project_id text   PRIMARY KEY,
    unfinished bigint NOT NULL
) WITH (fillfactor = 50);

-- A database of events alone has no table of leases.
DO $$
BEGIN
    IF to_regclass('lease') IS NOT NULL THEN
        INSERT INTO lease_count
        SELECT project_id, count(*) FROM lease WHERE status <> 'ENDED' GROUP BY project_id;
    END IF;
END
$$;
