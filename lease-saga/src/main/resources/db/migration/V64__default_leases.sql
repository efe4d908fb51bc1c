-- One row for each server for which a default lease was requested. The id of the lease is stored before its request is
-- sent: after a crash between the two, another node sends the same request, so that a server gets one lease.
CREATE TABLE default_lease (
    server_id       text        PRIMARY KEY,
    kind            text        NOT NULL,
    project_id      text        NOT NULL,
    lease_id        uuid        NOT NULL UNIQUE,
    state           text        NOT NULL CHECK (state IN ('REQUESTED', 'LEASED', 'REFUSED', 'ENDED')),
    reason          text,
    attempts        integer     NOT NULL,
    -- When another node may continue a request, or when a refused one is sent again. A leased server has none.
    next_attempt_at timestamptz
);
