-- Gives the engine a role that owns its database and nothing else. Single-user mode runs each statement that
-- ends with a semicolon and an empty line. All of them can be repeated.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leasehold') THEN
        CREATE ROLE leasehold;
    END IF;
END
$$;

ALTER ROLE leasehold LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
    PASSWORD 'PASSWORD_OF_ENGINE';

ALTER ROLE postgres PASSWORD NULL;

ALTER DATABASE postgres OWNER TO leasehold;

-- For copies of the folder while the engine works.
GRANT EXECUTE ON FUNCTION pg_backup_start(text, boolean) TO leasehold;

GRANT EXECUTE ON FUNCTION pg_backup_stop(boolean) TO leasehold;

-- Measurements begin after one.
GRANT pg_checkpoint TO leasehold;

-- Older versions created everything as the superuser. What an extension brought stays with it, and a sequence
-- that belongs to a column follows its table.
DO $$
DECLARE
    change text;
BEGIN
    FOR change IN
        WITH own AS (
            SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
        ), extended AS (
            SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
        )
        SELECT format('ALTER SCHEMA %I OWNER TO leasehold', nspname) FROM own WHERE nspname <> 'public'
        UNION ALL
        SELECT format('ALTER TABLE %I.%I OWNER TO leasehold', own.nspname, c.relname)
        FROM pg_class c JOIN own ON own.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (SELECT FROM extended WHERE classid = 'pg_class'::regclass AND objid = c.oid)
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE c.relkind = 'S' AND d.classid = 'pg_class'::regclass
                          AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i'))
        UNION ALL
        SELECT format('ALTER ROUTINE %s OWNER TO leasehold', p.oid::regprocedure)
        FROM pg_proc p JOIN own ON own.oid = p.pronamespace
        WHERE NOT EXISTS (SELECT FROM extended WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
        UNION ALL
        SELECT format('ALTER TYPE %I.%I OWNER TO leasehold', own.nspname, t.typname)
        FROM pg_type t JOIN own ON own.oid = t.typnamespace
        WHERE t.typtype IN ('d', 'e', 'r')
          AND NOT EXISTS (SELECT FROM extended WHERE classid = 'pg_type'::regclass AND objid = t.oid)
    LOOP
        EXECUTE change;
    END LOOP;
END
$$;

