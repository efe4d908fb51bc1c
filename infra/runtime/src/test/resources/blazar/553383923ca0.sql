-- The tables that Blazar's migrations have made up to this revision, as far as columns and keys go.
CREATE TABLE alembic_version (version_num varchar(32) NOT NULL PRIMARY KEY);
INSERT INTO alembic_version VALUES ('553383923ca0');

CREATE TABLE leases (
    id varchar(36) PRIMARY KEY, name varchar(80) NOT NULL, user_id varchar(255),
    project_id varchar(255), start_date timestamp NOT NULL, end_date timestamp NOT NULL,
    trust_id varchar(36), status varchar(255), degraded boolean NOT NULL DEFAULT false,
    created_at timestamp, updated_at timestamp);

CREATE TABLE reservations (
    id varchar(36) PRIMARY KEY, lease_id varchar(36) NOT NULL REFERENCES leases (id),
    resource_id varchar(36), resource_type varchar(66), status varchar(13),
    missing_resources boolean NOT NULL DEFAULT false,
    resources_changed boolean NOT NULL DEFAULT false,
    created_at timestamp, updated_at timestamp);

CREATE TABLE events (
    id varchar(36) PRIMARY KEY, lease_id varchar(36) REFERENCES leases (id),
    event_type varchar(66), time timestamp, status varchar(13),
    created_at timestamp, updated_at timestamp);

CREATE TABLE resource_properties (
    id varchar(36) PRIMARY KEY, resource_type varchar(255) NOT NULL,
    property_name varchar(255) NOT NULL, private boolean NOT NULL DEFAULT false,
    created_at timestamp, updated_at timestamp, UNIQUE (resource_type, property_name));

CREATE TABLE computehosts (
    id varchar(36) PRIMARY KEY, vcpus integer NOT NULL, cpu_info text NOT NULL,
    hypervisor_type text NOT NULL, hypervisor_version integer NOT NULL,
    hypervisor_hostname varchar(255), service_name varchar(255), memory_mb integer NOT NULL,
    local_gb integer NOT NULL, status varchar(13), availability_zone varchar(255) NOT NULL,
    trust_id varchar(36) NOT NULL, reservable boolean NOT NULL DEFAULT true,
    created_at timestamp, updated_at timestamp);

CREATE TABLE computehost_extra_capabilities (
    id varchar(36) PRIMARY KEY, computehost_id varchar(36) REFERENCES computehosts (id),
    property_id varchar(255) NOT NULL, capability_value text NOT NULL,
    created_at timestamp, updated_at timestamp);

CREATE TABLE computehost_resource_inventory (
    id varchar(36) PRIMARY KEY, computehost_id varchar(36) REFERENCES computehosts (id),
    resource_class varchar(255) NOT NULL, total integer NOT NULL, reserved integer NOT NULL,
    min_unit integer NOT NULL, max_unit integer NOT NULL, step_size integer NOT NULL,
    allocation_ratio double precision NOT NULL, created_at timestamp, updated_at timestamp);

CREATE TABLE computehost_trait (
    id varchar(36) PRIMARY KEY, computehost_id varchar(36) REFERENCES computehosts (id),
    trait varchar(255) NOT NULL, created_at timestamp, updated_at timestamp);

CREATE TABLE computehost_reservations (
    id varchar(36) PRIMARY KEY, reservation_id varchar(36) REFERENCES reservations (id),
    aggregate_id integer, resource_properties text, count_range varchar(36),
    hypervisor_properties text, before_end varchar(36), created_at timestamp, updated_at timestamp);

CREATE TABLE instance_reservations (
    id varchar(36) PRIMARY KEY, reservation_id varchar(36) REFERENCES reservations (id),
    vcpus integer NOT NULL, memory_mb integer NOT NULL, disk_gb integer NOT NULL,
    amount integer NOT NULL, affinity boolean, resource_properties text, flavor_id varchar(36),
    aggregate_id integer, server_group_id varchar(36), created_at timestamp, updated_at timestamp);

CREATE TABLE computehost_allocations (
    id varchar(36) PRIMARY KEY, compute_host_id varchar(36) REFERENCES computehosts (id),
    reservation_id varchar(36) REFERENCES reservations (id),
    created_at timestamp, updated_at timestamp);

CREATE TABLE floatingips (
    id varchar(36) PRIMARY KEY, floating_network_id varchar(255) NOT NULL,
    subnet_id varchar(255) NOT NULL, floating_ip_address varchar(255) NOT NULL,
    reservable boolean NOT NULL DEFAULT true, created_at timestamp, updated_at timestamp,
    UNIQUE (subnet_id, floating_ip_address));

CREATE TABLE floatingip_reservations (
    id varchar(36) PRIMARY KEY, reservation_id varchar(36) REFERENCES reservations (id),
    network_id varchar(255) NOT NULL, amount integer NOT NULL,
    created_at timestamp, updated_at timestamp);

CREATE TABLE required_floatingips (
    id varchar(36) PRIMARY KEY, address varchar(255) NOT NULL,
    floatingip_reservation_id varchar(36) REFERENCES floatingip_reservations (id),
    created_at timestamp, updated_at timestamp);

CREATE TABLE floatingip_allocations (
    id varchar(36) PRIMARY KEY, floatingip_id varchar(36) REFERENCES floatingips (id),
    reservation_id varchar(36) REFERENCES reservations (id),
    created_at timestamp, updated_at timestamp);
