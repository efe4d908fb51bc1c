-- Who works on this database at present: a node that is there says so all the time.
CREATE TABLE node (
    name    text        PRIMARY KEY,
    seen_at timestamptz NOT NULL
);
