-- Written in the transaction of the command, so that a client reads what it wrote. The view is json,
-- not jsonb: nobody looks into it here, and a list of all leases is spared the conversion to text.
-- The status has no index, so that most updates touch none.
CREATE TABLE lease (
    lease_id   uuid        PRIMARY KEY,
    project_id text        NOT NULL,
    status     text        NOT NULL,
    created_at timestamptz NOT NULL,
    view       json        NOT NULL
);
CREATE INDEX lease_order ON lease (created_at, lease_id);
CREATE INDEX lease_project_order ON lease (project_id, created_at, lease_id);
