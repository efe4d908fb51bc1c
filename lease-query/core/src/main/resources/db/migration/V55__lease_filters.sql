-- Lists of leases are filtered by these columns and sorted by their window. They repeat what the view
-- says, and the projection writes them together.
SET LOCAL statement_timeout = 0;  -- There may be a million leases: this takes a minute or two for them.

-- The view's times are in UTC, so that no setting of the session changes them. The cast would round
-- what is finer than microseconds; the projection cuts it off.
CREATE FUNCTION lease_time(text) RETURNS timestamptz IMMUTABLE LANGUAGE sql
    RETURN regexp_replace($1, '(\.\d{6})\d+', '\1')::timestamptz;
CREATE FUNCTION lease_kinds(json) RETURNS text[] IMMUTABLE LANGUAGE sql
    RETURN coalesce((SELECT array_agg(kind ORDER BY kind)
                     FROM (SELECT DISTINCT (reservation ->> 'kind') COLLATE "C" AS kind
                           FROM json_array_elements($1) AS reservation) AS kinds), '{}');

-- Leaves room for the next version of a lease on the same page, without which each change of a lease
-- would touch all indexes.
ALTER TABLE lease SET (fillfactor = 75);

-- Generated columns are filled while the table is rewritten once; an update would write each row again.
ALTER TABLE lease
    ADD COLUMN name       text COLLATE "C"
        NOT NULL GENERATED ALWAYS AS (view ->> 'name') STORED,
    ADD COLUMN user_id    text        NOT NULL GENERATED ALWAYS AS (view ->> 'userId') STORED,
    ADD COLUMN starts     timestamptz
        NOT NULL GENERATED ALWAYS AS (lease_time(view #>> '{period,start}')) STORED,
    ADD COLUMN ends       timestamptz
        NOT NULL GENERATED ALWAYS AS (lease_time(view #>> '{period,end}')) STORED,
    -- The kinds of its reservations, in order.
    ADD COLUMN kinds      text[]
        NOT NULL GENERATED ALWAYS AS (CASE json_array_length(view -> 'reservations')
            WHEN 1 THEN ARRAY[view #>> '{reservations,0,kind}']
            ELSE lease_kinds(view -> 'reservations') END) STORED,
    ADD COLUMN unfinished boolean     NOT NULL GENERATED ALWAYS AS (status <> 'ENDED') STORED;

-- From now on, the projection writes them: the database would read each view again at each change.
ALTER TABLE lease
    ALTER COLUMN name DROP EXPRESSION,
    ALTER COLUMN user_id DROP EXPRESSION,
    ALTER COLUMN starts DROP EXPRESSION,
    ALTER COLUMN ends DROP EXPRESSION,
    ALTER COLUMN kinds DROP EXPRESSION,
    ALTER COLUMN unfinished DROP EXPRESSION;
DROP FUNCTION lease_kinds(json);
DROP FUNCTION lease_time(text);

-- The columns in indexes change only if the window or the name does, and at the end of the lease. All
-- other changes of a lease touch no index. The status still has none, for this reason.
-- A window is sorted by the time of creation, too, without a look at the table.
CREATE INDEX lease_start ON lease (starts, ends, lease_id) INCLUDE (created_at);
CREATE INDEX lease_project_start ON lease (project_id, starts, ends, lease_id) INCLUDE (created_at);
CREATE INDEX lease_end ON lease (ends, starts, lease_id);
CREATE INDEX lease_project_end ON lease (project_id, ends, starts, lease_id);
-- The longest lease says how long before a window its leases start. Whole days make a small index.
CREATE INDEX lease_days ON lease ((extract(day FROM ends - starts)::int));
CREATE INDEX lease_project_name ON lease (project_id, name);
CREATE INDEX lease_user ON lease (user_id, created_at, lease_id, project_id);
CREATE INDEX lease_kind ON lease (
    (CASE WHEN cardinality(kinds) = 1 THEN kinds[1] END), created_at, lease_id, project_id);
CREATE INDEX lease_kinds ON lease USING gin (kinds) WITH (fastupdate = off)
    WHERE cardinality(kinds) > 1;
CREATE INDEX lease_unfinished ON lease (created_at, lease_id, project_id) WHERE unfinished;
