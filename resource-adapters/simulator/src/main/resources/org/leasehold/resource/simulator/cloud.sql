-- The simulated cloud's own tables. Run at every start, by every node: each statement may be repeated.
CREATE SCHEMA IF NOT EXISTS simulated_cloud;

CREATE TABLE IF NOT EXISTS simulated_cloud.host (
    id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hypervisor_hostname text    NOT NULL UNIQUE,
    service_name        text    NOT NULL,
    hypervisor_type     text    NOT NULL,
    hypervisor_version  integer NOT NULL,
    vcpus               integer NOT NULL,
    memory_mb           integer NOT NULL,
    local_gb            integer NOT NULL,
    cpu_info            text    NOT NULL,
    zone                text    NOT NULL,
    up                  boolean NOT NULL DEFAULT true
);

CREATE TABLE IF NOT EXISTS simulated_cloud.aggregate (
    name     text  PRIMARY KEY,
    zone     text,
    metadata jsonb NOT NULL DEFAULT '{}'
);

-- A host may be in several aggregates, but in one availability zone only: the cloud itself refuses to
-- give a host to two reservations.
CREATE TABLE IF NOT EXISTS simulated_cloud.aggregate_host (
    aggregate text    NOT NULL REFERENCES simulated_cloud.aggregate (name),
    host      text    NOT NULL REFERENCES simulated_cloud.host (hypervisor_hostname),
    zoned     boolean NOT NULL,
    PRIMARY KEY (aggregate, host)
);
CREATE UNIQUE INDEX IF NOT EXISTS aggregate_host_one_zone ON simulated_cloud.aggregate_host (host) WHERE zoned;
CREATE INDEX IF NOT EXISTS aggregate_host_host ON simulated_cloud.aggregate_host (host);

CREATE TABLE IF NOT EXISTS simulated_cloud.server (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name        text NOT NULL,
    project     text NOT NULL,
    host        text NOT NULL REFERENCES simulated_cloud.host (hypervisor_hostname),
    reservation uuid,
    state       text NOT NULL DEFAULT 'ACTIVE'
);
CREATE INDEX IF NOT EXISTS server_host ON simulated_cloud.server (host);

-- What is reserved of a host that stays in the pool: so many slots of the size of the flavor that is
-- named after the reservation.
CREATE TABLE IF NOT EXISTS simulated_cloud.flavor (
    reservation uuid    PRIMARY KEY,
    project     text    NOT NULL,
    vcpus       integer NOT NULL,
    memory_mb   integer NOT NULL,
    disk_gb     integer NOT NULL
);
CREATE TABLE IF NOT EXISTS simulated_cloud.slots (
    reservation uuid    NOT NULL REFERENCES simulated_cloud.flavor,
    host        text    NOT NULL REFERENCES simulated_cloud.host (hypervisor_hostname),
    slots       integer NOT NULL CHECK (slots > 0),
    PRIMARY KEY (reservation, host)
);
CREATE INDEX IF NOT EXISTS slots_host ON simulated_cloud.slots (host);

-- Images outlive the server and the reservation that they were made of.
CREATE TABLE IF NOT EXISTS simulated_cloud.image (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name        text NOT NULL,
    server      uuid NOT NULL UNIQUE,
    project     text NOT NULL,
    reservation uuid NOT NULL
);

-- Networks outside, with the addresses that users are given when they ask for any.
CREATE TABLE IF NOT EXISTS simulated_cloud.subnet (
    id         text PRIMARY KEY,
    network    text NOT NULL,
    cidr       text NOT NULL,
    gateway    text NOT NULL,
    pool_first text NOT NULL,
    pool_last  text NOT NULL
);

CREATE TABLE IF NOT EXISTS simulated_cloud.floating_ip (
    network     text NOT NULL,
    address     text NOT NULL,
    project     text NOT NULL,
    reservation uuid,
    PRIMARY KEY (network, address)
);

-- Networks inside: what keeps them apart is one network's alone.
CREATE TABLE IF NOT EXISTS simulated_cloud.network (
    segment     text PRIMARY KEY,
    name        text NOT NULL,
    description text NOT NULL,
    project     text NOT NULL,
    reservation uuid
);
CREATE INDEX IF NOT EXISTS network_reservation ON simulated_cloud.network (reservation);

-- Types of volumes, each with a backend of its own that has room for so many GiB.
CREATE TABLE IF NOT EXISTS simulated_cloud.volume_type (
    name text   PRIMARY KEY,
    gib  bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS simulated_cloud.volume (
    id          uuid    PRIMARY KEY DEFAULT gen_random_uuid(),
    volume_type text    NOT NULL REFERENCES simulated_cloud.volume_type,
    size        integer NOT NULL,
    name        text    NOT NULL,
    description text    NOT NULL,
    project     text    NOT NULL,
    attached    boolean NOT NULL DEFAULT false,
    reservation uuid
);
CREATE INDEX IF NOT EXISTS volume_reservation ON simulated_cloud.volume (reservation);

-- A snapshot is of use only with its volume, and goes with it.
CREATE TABLE IF NOT EXISTS simulated_cloud.volume_snapshot (
    volume      uuid NOT NULL REFERENCES simulated_cloud.volume ON DELETE CASCADE,
    reservation uuid NOT NULL,
    PRIMARY KEY (volume, reservation)
);

-- Availability zones whose hosts nobody leases as such, and the servers that users have there.
CREATE TABLE IF NOT EXISTS simulated_cloud.zone (
    name      text   PRIMARY KEY,
    vcpus     bigint NOT NULL,
    memory_mb bigint NOT NULL,
    disk_gb   bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS simulated_cloud.zone_server (
    id          uuid   PRIMARY KEY,
    zone        text   NOT NULL REFERENCES simulated_cloud.zone,
    name        text   NOT NULL,
    project     text   NOT NULL,
    vcpus       bigint NOT NULL,
    memory_mb   bigint NOT NULL,
    disk_gb     bigint NOT NULL,
    state       text   NOT NULL,
    reservation uuid
);
CREATE INDEX IF NOT EXISTS zone_server_reservation ON simulated_cloud.zone_server (reservation);

-- Images outlive their servers.
CREATE TABLE IF NOT EXISTS simulated_cloud.zone_server_image (
    server      uuid NOT NULL,
    reservation uuid NOT NULL,
    PRIMARY KEY (server, reservation)
);

-- Stacks, and what those of their resources are called that there is anything to know of. A resource
-- that is to stay outlives its stack.
CREATE TABLE IF NOT EXISTS simulated_cloud.stack (
    id          uuid PRIMARY KEY,
    name        text NOT NULL,
    project     text NOT NULL,
    request     text NOT NULL,
    state       text NOT NULL,
    reservation uuid UNIQUE,
    UNIQUE (project, name)
);

CREATE TABLE IF NOT EXISTS simulated_cloud.stack_resource (
    id     uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    stack  uuid REFERENCES simulated_cloud.stack ON DELETE SET NULL,
    name   text NOT NULL,
    type   text NOT NULL,
    policy text NOT NULL,
    UNIQUE (stack, name)
);

-- What users have written on their servers and volumes, which have it for as long as they are there.
CREATE TABLE IF NOT EXISTS simulated_cloud.metadata (
    thing    uuid  PRIMARY KEY,
    author   text  NOT NULL,
    contents jsonb NOT NULL
);

-- One row for each change that took effect, written in the same transaction as the change.
CREATE TABLE IF NOT EXISTS simulated_cloud.effect (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    operation   text NOT NULL,
    reservation uuid,
    host        text
);
CREATE INDEX IF NOT EXISTS effect_reservation ON simulated_cloud.effect (reservation);

-- How the cloud is to misbehave: kept here, so that it reaches every node and every process.
CREATE TABLE IF NOT EXISTS simulated_cloud.behaviour (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operations  text             NOT NULL,
    host        text,
    latency_ms  bigint           NOT NULL DEFAULT 0,
    fault       text,
    probability double precision NOT NULL DEFAULT 1,
    skip        integer          NOT NULL DEFAULT 0,
    remaining   integer
);

INSERT INTO simulated_cloud.aggregate (name) VALUES ('freepool') ON CONFLICT DO NOTHING;

INSERT INTO simulated_cloud.subnet (id, network, cidr, gateway, pool_first, pool_last) VALUES
    ('c2a7e0f4-5f77-4f0e-8a55-0c3b9d1f7e02', '8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01',
     '203.0.113.0/24', '203.0.113.1', '203.0.113.10', '203.0.113.199'),
    ('d1b3f9c8-9a0e-4a53-b6c1-5e0d2c7a4b04', '4e9f6a1d-3b27-4c8e-a1f5-92d8c06b7e03',
     '198.51.100.0/24', '198.51.100.1', '198.51.100.10', '198.51.100.99'),
    ('e2c4a0d7-8b1f-4c62-97d5-6f1e3d8b5c06', '7c1d0e5b-4f38-4a9d-b2e6-83c9d17f8a05',
     '192.0.2.0/24', '192.0.2.1', '192.0.2.10', '192.0.2.13')
ON CONFLICT DO NOTHING;

INSERT INTO simulated_cloud.volume_type (name, gib) VALUES
    ('gold', 1000), ('silver', 4000), ('bronze', 10000)
ON CONFLICT DO NOTHING;

INSERT INTO simulated_cloud.zone (name, vcpus, memory_mb, disk_gb) VALUES
    ('nova', 64, 262144, 4000), ('east', 32, 131072, 2000), ('west', 8, 16384, 200)
ON CONFLICT DO NOTHING;
