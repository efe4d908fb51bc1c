"""The configuration files of all services. Nothing below /etc is changed, only Debian's paste files are read."""

import json
import os
import uuid

from testbed import database, place, zones

IDENTITY = "http://%s:5000" % place.LOOPBACK
MEMCACHED = place.LOOPBACK + ":11211"
HEAT_POLICY = "heat-policy.yaml"

# Nova 2023.1 and later starts no compute service without the identity of its machine, once it has run there.
MACHINE = "compute_id"
RABBITMQ = "rabbit://guest:guest@%s:5672/" % place.LOOPBACK

FILTERS = (
    "ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter",
    "ServerGroupAffinityFilter", "SameHostFilter", "DifferentHostFilter", "AggregateInstanceExtraSpecsFilter",
    "AggregateMultiTenancyIsolation", *(("AvailabilityZoneFilter",) if zones.HAS_FILTER else ()),
)


def render(sections):
    """Returns the text of sections of settings; a setting with a list as its value is written repeatedly."""
    lines = []
    for section, settings in sections.items():
        lines.append("[%s]" % section)
        for name, value in settings.items():
            for each in value if isinstance(value, list) else [value]:
                lines.append("%s = %s" % (name, each))
        lines.append("")
    return "\n".join(lines)


def account(user):
    """Returns the settings with which a service logs in as itself."""
    return {"auth_type": "password", "auth_url": IDENTITY, "username": user, "password": place.PASSWORD,
            "user_domain_name": "Default", "project_domain_name": "Default", "project_name": "service",
            "region_name": place.REGION}


def tokens(user):
    """Returns the settings for validating tokens, with a cache: a request for each would double Keystone's load."""
    return {**account(user), "www_authenticate_uri": IDENTITY, "memcached_servers": MEMCACHED,
            "service_token_roles": "service", "service_token_roles_required": "true"}


def service(user, **sections):
    """Returns the settings of a service that uses RabbitMQ: the common ones and its own. It logs to standard output."""
    common = {
        "DEFAULT": {"transport_url": RABBITMQ, "state_path": place.data(user)},
        "keystone_authtoken": tokens(user),
        "oslo_concurrency": {"lock_path": os.path.join(place.data(user), "lock")},
    }
    for name, settings in sections.items():
        common[name] = {**common.get(name, {}), **settings}
    return common


def cache():
    return {"enabled": "true", "backend": "dogpile.cache.pymemcache", "memcache_servers": MEMCACHED}


def keystone():
    return {
        "database": {"connection": database.url("keystone")},
        "token": {"provider": "fernet", "expiration": 86400},
        "fernet_tokens": {"key_repository": os.path.join(place.data("keystone"), "fernet-keys")},
        "credential": {"key_repository": os.path.join(place.data("keystone"), "credential-keys")},
        "cache": cache(),
        "trust": {"allow_redelegation": "true"},
        # The least cost of bcrypt; otherwise each login takes a quarter of a second of a processor.
        "identity": {"password_hash_rounds": 4},
    }


def placement():
    return {
        "api": {"auth_strategy": "keystone"},
        "placement_database": {"connection": database.url("placement")},
        "keystone_authtoken": tokens("placement"),
    }


def glance():
    return service(
        "glance",
        DEFAULT={"bind_host": place.LOOPBACK, "workers": 1},
        database={"connection": database.url("glance")},
        glance_store={"stores": "file,http", "default_store": "file",
                      "filesystem_store_datadir": os.path.join(place.data("glance"), "images")},
        paste_deploy={"flavor": "keystone", "config_file": "/etc/glance/glance-api-paste.ini"})


def nova():
    return service(
        "nova",
        DEFAULT={
            "host": "controller", "my_ip": place.LOOPBACK, "enabled_apis": "osapi_compute",
            "osapi_compute_listen": place.LOOPBACK, "osapi_compute_workers": 2,
            "compute_driver": "testbed_hypervisors.Hypervisor",
            # A dead compute service is noticed after half a minute instead of a whole one. Each host reports by
            # itself, and the conductor stores it: the default interval takes half of the CPU of five seconds.
            "report_interval": 10, "service_down_time": 30,
            # The hypervisors forget their guests when they restart; Nova must not stop those.
            "sync_power_state_interval": -1,
            "shelved_offload_time": 0, "allow_resize_to_same_host": "true",
            "vif_plugging_is_fatal": "false", "vif_plugging_timeout": 0,
            "cpu_allocation_ratio": "1.0", "ram_allocation_ratio": "1.0", "disk_allocation_ratio": "1.0",
            "reserved_host_memory_mb": 0},
        api={"auth_strategy": "keystone"},
        api_database={"connection": database.url("nova_api")},
        database={"connection": database.url("nova")},
        cache=cache(),
        compute={"live_migration_wait_for_vif_plug": "false"},
        conductor={"workers": 1},
        scheduler={"workers": 1, "discover_hosts_in_cells_interval": 5},
        filter_scheduler={"enabled_filters": ",".join(FILTERS)},
        notifications={"notification_format": "both", "notify_on_state_change": "vm_and_task_state"},
        oslo_messaging_notifications={"driver": "messagingv2", "topics": "notifications"},
        quota={"instances": -1, "cores": -1, "ram": -1, "server_groups": -1, "server_group_members": -1},
        glance={"api_servers": "http://%s:9292" % place.LOOPBACK},
        cinder={"os_region_name": place.REGION},
        neutron=account("neutron"),
        placement=account("placement"),
        keystone=account("nova"),
        # Without it Cinder refuses to detach a volume that is attached.
        service_user={"send_service_user_token": "true", **account("nova")},
        vnc={"enabled": "false"},
        spice={"enabled": "false"})


def nova_with_filter():
    """Returns the additional file for Nova with the filter, where a hint selects a reservation."""
    return {"filter_scheduler": {
        "available_filters": ["nova.scheduler.filters.all_filters", "leasehold_filter.LeaseholdFilter"],
        "enabled_filters": ",".join((*FILTERS, "LeaseholdFilter"))}}


def nova_without_plugin():
    """Returns the additional file for Nova without a plug-in: servers without a zone get the zone of ordinary hosts.

    Servers without slots of a reservation stay off hosts that have such slots.
    """
    return {"DEFAULT": {"default_schedule_zone": zones.DEFAULT},
            "scheduler": {"enable_isolated_aggregate_filtering": "true"}}


def neutron():
    return service(
        "neutron",
        DEFAULT={
            "bind_host": place.LOOPBACK, "api_paste_config": "/etc/neutron/api-paste.ini", "core_plugin": "ml2",
            "service_plugins": "router,qos,network_segment_range", "api_workers": 1, "rpc_workers": 1,
            "rpc_state_report_workers": 0, "dhcp_agent_notification": "false",
            "notify_nova_on_port_status_changes": "true", "notify_nova_on_port_data_changes": "true"},
        database={"connection": database.url("neutron")},
        nova=account("nova"),
        placement=account("placement"),
        quotas={"quota_floatingip": 1000, "quota_network": 1000, "quota_port": 5000, "quota_subnet": 1000,
                "quota_router": 1000, "quota_security_group": 1000})


def ml2():
    """Returns Neutron's ML2 file: users' own networks are VLANs 100 to 999; 1000 to 1999 and VXLANs can be leased."""
    return {
        "ml2": {"type_drivers": "flat,vlan,vxlan", "tenant_network_types": "vlan",
                "mechanism_drivers": "testbed", "extension_drivers": "port_security,qos"},
        "ml2_type_flat": {"flat_networks": "public"},
        "ml2_type_vlan": {"network_vlan_ranges": "physnet1:100:999"},
        "ml2_type_vxlan": {"vni_ranges": "1:4095"},
    }


def cinder():
    return service(
        "cinder",
        DEFAULT={
            "host": "controller", "my_ip": place.LOOPBACK, "api_paste_config": "/etc/cinder/api-paste.ini",
            "resource_query_filters_file": "/etc/cinder/resource_filters.json",
            "rootwrap_config": "/etc/cinder/rootwrap.conf", "auth_strategy": "keystone",
            "osapi_volume_listen": place.LOOPBACK, "osapi_volume_workers": 1, "report_interval": 5,
            "enabled_backends": "standard", "default_volume_type": "standard",
            "glance_api_servers": "http://%s:9292" % place.LOOPBACK,
            "image_conversion_dir": os.path.join(place.data("cinder"), "conversion"),
            "quota_volumes": 1000, "quota_gigabytes": 100000, "quota_snapshots": 1000},
        standard={"volume_driver": "testbed_volumes.Volumes", "volume_backend_name": "standard"},
        database={"connection": database.url("cinder")},
        nova=account("nova"),
        service_user={"send_service_user_token": "true", **account("cinder")})


def heat():
    return service(
        "heat",
        DEFAULT={
            "api_paste_config": "/etc/heat/api-paste.ini", "region_name_for_services": place.REGION,
            "deferred_auth_method": "trusts", "stack_user_domain_name": "heat",
            "stack_domain_admin": "heat_domain_admin", "stack_domain_admin_password": place.PASSWORD,
            "num_engine_workers": 1, "auth_encryption_key": "not-a-secret-in-a-testbed-000000",
            "environment_dir": "/etc/heat/environment.d", "template_dir": "/etc/heat/templates",
            # No process listens there: signals and wait conditions are not part of this cloud.
            "heat_metadata_server_url": "http://%s:8000" % place.LOOPBACK,
            "heat_waitcondition_server_url": "http://%s:8000/v1/waitcondition" % place.LOOPBACK},
        heat_api={"bind_host": place.LOOPBACK, "workers": 1},
        database={"connection": database.url("heat")},
        oslo_policy={"policy_file": place.configuration(HEAT_POLICY)},
        clients_keystone={"auth_uri": IDENTITY},
        trustee={name: value for name, value in account("heat").items() if not name.startswith("project")
                 and name != "region_name"})


def heat_policy():
    """Returns the policy by which administrators see all projects' stacks; by default, no user in a project does."""
    return {"stacks:global_index": "role:admin"}


def blazar():
    """Returns the settings of Blazar, which starts leases as its user and looks for due events each ten seconds."""
    return service(
        "blazar",
        DEFAULT={
            "host": place.LOOPBACK, "port": place.BLAZAR_PORT, "os_auth_host": place.LOOPBACK, "os_admin_username": "blazar",
            "os_admin_password": place.PASSWORD, "os_admin_project_name": "service", "os_region_name": place.REGION},
        manager={"plugins": "physical.host.plugin,virtual.instance.plugin,flavor.instance.plugin,"
                            "virtual.floatingip.plugin"},
        database={"connection": database.url("blazar")})


FILES = {
    "keystone.conf": keystone,
    "placement.conf": placement,
    "glance.conf": glance,
    "nova.conf": nova,
    "nova-with-filter.conf": nova_with_filter,
    "nova-without-plugin.conf": nova_without_plugin,
    "neutron.conf": neutron,
    "ml2.conf": ml2,
    "cinder.conf": cinder,
    "heat.conf": heat,
    "blazar.conf": blazar,
}


def write():
    for name, sections in FILES.items():
        with open(place.configuration(name), "w", encoding="utf-8") as file:
            file.write(render(sections()))
    with open(place.configuration(HEAT_POLICY), "w", encoding="utf-8") as file:
        json.dump(heat_policy(), file)
    with open(place.configuration(MACHINE), "w", encoding="ascii") as file:
        file.write(str(uuid.uuid5(uuid.NAMESPACE_DNS, "testbed")))
