-- What plugins were asked to do, once they have answered. Nothing depends on it; it is never changed.
CREATE TABLE plugin_call (
    call_id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lease_id       uuid,
    reservation_id uuid,
    resource_id    bigint,
    kind           text,
    name           text,
    action         text        NOT NULL,
    attempt        int         NOT NULL,
    began          timestamptz NOT NULL,
    ended          timestamptz NOT NULL,
    fault_kind     text,
    fault          text,
    request_id     text        NOT NULL,
    causation      text        NOT NULL
);
CREATE INDEX plugin_call_lease ON plugin_call (lease_id, call_id) WHERE lease_id IS NOT NULL;
CREATE INDEX plugin_call_resource ON plugin_call (resource_id, call_id) WHERE resource_id IS NOT NULL;
CREATE INDEX plugin_call_request ON plugin_call (request_id, call_id);
