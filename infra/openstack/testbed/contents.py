"""The contents of the cloud for users: an image, flavors, networks, a type of volumes, a zone."""

from testbed import zones
from testbed.rest import Cloud

FLAVORS = (("1", "m1.tiny", 1, 512, 1), ("2", "m1.small", 2, 2048, 10), ("3", "m1.large", 8, 16384, 80))

# Users' own floating IPs come from the pool; the rest of the subnet can be leased.
PUBLIC = {"cidr": "172.24.4.0/24", "allocation_pools": [{"start": "172.24.4.10", "end": "172.24.4.99"}]}
PRIVATE = {"cidr": "10.0.0.0/16"}


def create():
    """Creates what is missing; existing contents stay unchanged."""
    admin = Cloud("admin")
    image(admin)
    for identity, name, processors, memory, disk in FLAVORS:
        if not admin.exists("compute", "/flavors/" + identity):
            admin.post("compute", "/flavors", {"flavor": {
                "id": identity, "name": name, "vcpus": processors, "ram": memory, "disk": disk}})
    if zones.HOSTS:
        zone(admin)
    network(admin, "public", PUBLIC, {"router:external": True, "provider:network_type": "flat",
                                      "provider:physical_network": "public"})
    network(admin, "private", PRIVATE, {"shared": True})
    if not any(each["name"] == "standard" for each in admin.get("block-storage", types(admin))["volume_types"]):
        admin.post("block-storage", types(admin), {"volume_type": {
            "name": "standard", "extra_specs": {"volume_backend_name": "standard"}}})


def zone(cloud):
    """Creates the aggregate of the hosts of ordinary servers."""
    if any(each["name"] == zones.DEFAULT for each in cloud.get("compute", "/os-aggregates")["aggregates"]):
        return
    made = cloud.post("compute", "/os-aggregates", {
        "aggregate": {"name": zones.DEFAULT, "availability_zone": zones.DEFAULT}})["aggregate"]
    for host in zones.HOSTS:
        cloud.post("compute", "/os-aggregates/%s/action" % made["id"], {"add_host": {"host": host}})


def types(cloud):
    return "/%s/types" % cloud.project


def image(cloud):
    """Creates an image, which is never booted."""
    if cloud.get("image", "/v2/images?name=cirros")["images"]:
        return
    made = cloud.post("image", "/v2/images", {
        "name": "cirros", "disk_format": "raw", "container_format": "bare", "visibility": "public"})
    cloud.call("image", "PUT", "/v2/images/%s/file" % made["id"], bytes(1 << 20), "application/octet-stream")


def network(cloud, name, subnet, fields):
    if cloud.get("network", "/v2.0/networks?name=" + name)["networks"]:
        return
    made = cloud.post("network", "/v2.0/networks", {"network": {"name": name, **fields}})["network"]
    cloud.post("network", "/v2.0/subnets", {"subnet": {
        "network_id": made["id"], "name": name, "ip_version": 4, "enable_dhcp": False, **subnet}})
