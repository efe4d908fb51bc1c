CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE SEQUENCE resource_number;

CREATE TABLE resource (
    resource_id     bigint      PRIMARY KEY,
    kind            text        NOT NULL,
    name            text        NOT NULL,
    region          text,
    zone            text,
    state           text        NOT NULL CHECK (state IN ('ENROLLED', 'DISABLED', 'RETIRED')),
    disabled_reason text,
    attributes      jsonb       NOT NULL,
    capabilities    jsonb       NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz
);
CREATE UNIQUE INDEX resource_name ON resource (kind, name) WHERE state <> 'RETIRED';

-- Rises with every change of a resource and becomes visible together with it, so that a node knows
-- from one number whether the resources that it keeps in memory are those of a snapshot.
CREATE TABLE inventory_version (
    version bigint NOT NULL
);
INSERT INTO inventory_version (version) VALUES (0);
CREATE FUNCTION raise_inventory_version() RETURNS trigger LANGUAGE plpgsql AS
$$
BEGIN
    UPDATE inventory_version SET version = version + 1;
    RETURN NULL;
END
$$;
CREATE TRIGGER resource_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON resource
    FOR EACH STATEMENT EXECUTE FUNCTION raise_inventory_version();

CREATE TABLE resource_property (
    property_id uuid        PRIMARY KEY,
    kind        text        NOT NULL,
    name        text        NOT NULL,
    hidden      boolean     NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz,
    UNIQUE (kind, name)
);

-- A claim is a promise: the planned window plus cleaning. No two claims on a resource overlap unless
-- both are shared: an exclusive claim's occupancy is its reservation's id, a shared one's is the nil
-- UUID. "within" is the nil UUID for a claim that lies in no other claim.
CREATE TABLE claim (
    resource_id    bigint    NOT NULL REFERENCES resource,
    within         uuid      NOT NULL,
    during         tstzrange NOT NULL CHECK (NOT isempty(during)),
    occupancy      uuid      NOT NULL,
    reservation_id uuid      NOT NULL,
    lease_id       uuid      NOT NULL,
    project_id     text      NOT NULL,
    cleaning       interval  NOT NULL,
    relies_on      text[]    NOT NULL,
    CONSTRAINT claim_is_unique UNIQUE (reservation_id, resource_id, within),
    CONSTRAINT claim_is_exclusive EXCLUDE USING gist
        (resource_id WITH =, within WITH =, during WITH &&, occupancy WITH <>)
);
CREATE INDEX claim_lease ON claim (lease_id);
-- Which resources are claimed in a window is answered from this index alone. The constraint's own
-- index is ordered by resource first: it would be walked whole.
CREATE INDEX claim_during ON claim USING gist (during) INCLUDE (resource_id);

-- Who really has a resource. The generation fences work that was started for an earlier holder.
CREATE SEQUENCE tenure_generation;
CREATE TABLE holder (
    resource_id    bigint      PRIMARY KEY REFERENCES resource,
    reservation_id uuid        NOT NULL,
    lease_id       uuid        NOT NULL,
    generation     bigint      NOT NULL,
    since          timestamptz NOT NULL
);
CREATE INDEX holder_reservation ON holder (reservation_id);
CREATE INDEX holder_lease ON holder (lease_id);
