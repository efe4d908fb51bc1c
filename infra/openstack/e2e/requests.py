"""The requests of the comparison with Blazar: each route, with parameters that it accepts and that it refuses."""

import dataclasses

# Names in braces stand for values of each service: its own ids and third host, and times that both get.
THIRD = '["==", "$hypervisor_hostname", "{third}"]'
OTHERS = '["!=", "$hypervisor_hostname", "{third}"]'
HOST = {"resource_type": "physical:host", "min": 1, "max": 1, "hypervisor_properties": OTHERS, "resource_properties": ""}
SLOTS = {"resource_type": "virtual:instance", "vcpus": 1, "memory_mb": 512, "disk_gb": 1, "amount": 1, "affinity": None,
         "resource_properties": OTHERS}
FLAVOR = {"resource_type": "flavor:instance", "flavor_id": "2", "amount": 1, "affinity": None}
ADDRESS = {"resource_type": "virtual:floatingip", "network_id": "{public}", "amount": 1}


@dataclasses.dataclass(frozen=True)
class Step:
    """A request to both services.

    `remember` maps names to paths in the response. `wait` has the name of a lease and the status before the request.
    """

    name: str
    method: str
    path: str
    body: object = None
    user: str | None = "demo"
    headers: dict = dataclasses.field(default_factory=dict)
    remember: dict = dataclasses.field(default_factory=dict)
    wait: tuple = ()


def lease(name="compared", start="{start}", end="{end}", *reservations, **fields):
    return {"name": name, "start_date": start, "end_date": end, "reservations": list(reservations), "events": [], **fields}


def create(name, *reservations, remember=None, user="demo", start="{start}", end="{end}", **fields):
    kept = {remember: "lease.id"} if remember else {}
    if remember and reservations:
        kept[remember + "-reservation"] = "lease.reservations.0.id"
    return Step(name, "POST", "/leases", lease(name, start, end, *reservations, **fields), user, remember=kept)


def hour(number):
    """Returns the window from this hour to the next one."""
    return {"start": "{h%d}" % number, "end": "{h%d}" % (number + 1)}


def get(name, path, user="demo", **others):
    return Step(name, "GET", path, None, user, **others)


def put(name, path, body, user="demo", **others):
    return Step(name, "PUT", path, body, user, **others)


def delete(name, path, user="demo", **others):
    return Step(name, "DELETE", path, None, user, **others)


def change(name, which, **fields):
    """Changes the only reservation of a lease."""
    return put(name, "/leases/{%s}" % which, {"reservations": [{"id": "{%s-reservation}" % which, **fields}]})


HOSTS = [
    get("list no hosts", "/os-hosts", "admin"),
    Step("enrol a host", "POST", "/os-hosts", {"name": "compute-001"}, "admin", remember={"host1": "host.id"}),
    Step("enrol a host with a property", "POST", "/os-hosts", {"name": "compute-002", "rack": "r1", "gpu": "true"}, "admin",
         remember={"host2": "host.id"}),
    Step("enrol a third host", "POST", "/os-hosts", {"name": "{third}"}, "admin", remember={"host3": "host.id"}),
    Step("enrol a host twice", "POST", "/os-hosts", {"name": "compute-001"}, "admin"),
    Step("enrol an unknown host", "POST", "/os-hosts", {"name": "no-such-host"}, "admin"),
    Step("enrol a host without a name", "POST", "/os-hosts", {"rack": "r1"}, "admin"),
    Step("enrol a host as a member", "POST", "/os-hosts", {"name": "compute-004"}),
    Step("enrol with a body that is no JSON", "POST", "/os-hosts", "{", "admin"),
    get("list hosts", "/os-hosts", "admin"),
    get("list hosts as a member", "/os-hosts"),
    get("show a host", "/os-hosts/{host2}", "admin"),
    get("show an unknown host", "/os-hosts/4711", "admin"),
    put("set a property of a host", "/os-hosts/{host2}", {"rack": "r2"}, "admin"),
    put("remove a property of a host", "/os-hosts/{host2}", {"gpu": None}, "admin"),
    put("change nothing of a host", "/os-hosts/{host2}", {}, "admin"),
    put("change an unknown host", "/os-hosts/4711", {"rack": "r2"}, "admin"),
    get("list properties", "/os-hosts/properties", "admin"),
    get("list properties in detail", "/os-hosts/properties?detail=true", "admin"),
    get("list all properties", "/os-hosts/properties?all=true&detail=true", "admin"),
    get("list properties as a member", "/os-hosts/properties"),
    Step("hide a property", "PATCH", "/os-hosts/properties/rack", {"private": True}, "admin"),
    Step("show a property again", "PATCH", "/os-hosts/properties/rack", {"private": False}, "admin"),
    Step("hide an unknown property", "PATCH", "/os-hosts/properties/nothing", {"private": True}, "admin"),
    get("list allocations of idle hosts", "/os-hosts/allocations", "admin"),
    get("show the allocation of an idle host", "/os-hosts/{host1}/allocation", "admin"),
    Step("enrol an address", "POST", "/floatingips", {
        "floating_network_id": "{public}", "floating_ip_address": "172.24.4.241"}, "admin",
         remember={"address": "floatingip.id"}),
    Step("enrol an address twice", "POST", "/floatingips", {
        "floating_network_id": "{public}", "floating_ip_address": "172.24.4.241"}, "admin"),
    Step("enrol an address of the pool", "POST", "/floatingips", {
        "floating_network_id": "{public}", "floating_ip_address": "172.24.4.20"}, "admin"),
    Step("enrol an address outside of all subnets", "POST", "/floatingips", {
        "floating_network_id": "{public}", "floating_ip_address": "10.99.0.1"}, "admin"),
    Step("enrol an address without a network", "POST", "/floatingips", {"floating_ip_address": "172.24.4.242"}, "admin"),
    get("list addresses", "/floatingips", "admin"),
    get("show an address", "/floatingips/{address}", "admin"),
    get("show an unknown address", "/floatingips/nothing", "admin"),
]

LEASES = [
    get("list no leases", "/leases"),
    create("lease a host", HOST, remember="pending"),
    # Windows that do not touch, so that the choice of hosts does not matter.
    create("lease instances", SLOTS, remember="slots", **hour(3)),
    create("lease instances of a flavor", FLAVOR, remember="flavor", **hour(5)),
    create("lease an address", ADDRESS, remember="fip"),
    create("lease instances with affinity", {**SLOTS, "affinity": True}, remember="affine", **hour(7)),
    create("lease without a reservation", remember="empty"),
    create("announce the end", HOST, remember="announced", before_end_date="{h10}", **hour(9)),
    create("announce the end in the past", HOST, before_end_date="{past}"),
    create("lease as a reader", HOST, user="reader"),
    create("lease in the past", HOST, start="{past}"),
    create("end before the start", HOST, start="{end}", end="{start}"),
    create("end in the past", HOST, start="now", end="{past}"),
    create("lease with a date that is none", HOST, start="tomorrow"),
    create("lease more hosts than there are", {**HOST, "min": 9, "max": 9}),
    create("lease fewer than one host", {**HOST, "min": 0, "max": 0}),
    create("lease with min above max", {**HOST, "min": 2, "max": 1}),
    create("lease without min", {key: value for key, value in HOST.items() if key != "min"}),
    create("lease by a filter", {**HOST, "resource_properties": '["==", "$rack", "r2"]'}, remember="filtered", **hour(11)),
    create("lease by a filter that no host matches", {**HOST, "resource_properties": '["==", "$rack", "r9"]'}),
    create("lease by a filter that is none", {**HOST, "resource_properties": "rack"}),
    create("lease an unknown kind", {"resource_type": "virtual:nothing"}),
    create("lease a kind that is missing", {"min": 1, "max": 1}),
    create("lease instances without a size", {key: value for key, value in SLOTS.items() if key != "vcpus"}),
    create("lease instances that are too large", {**SLOTS, "vcpus": 1000}),
    create("lease instances of an unknown flavor", {**FLAVOR, "flavor_id": "nothing"}),
    create("lease instances of a flavor with affinity", {**FLAVOR, "affinity": True}),
    create("lease more addresses than there are", {**ADDRESS, "amount": 9}),
    create("lease an address of an unknown network", {**ADDRESS, "network_id": "nothing"}),
    create("lease with an unknown field", HOST, remember="coloured", colour="blue", **hour(13)),
    Step("lease without a name", "POST", "/leases", {"start_date": "{start}", "end_date": "{end}", "reservations": [HOST]}),
    Step("lease without dates", "POST", "/leases", {"name": "dateless", "reservations": [HOST]}),
    Step("lease without a token", "POST", "/leases", lease(), None),
    Step("lease with a body that is a list", "POST", "/leases", []),
    get("list leases", "/leases"),
    get("list all leases as an administrator", "/leases", "admin"),
    get("show a lease", "/leases/{pending}"),
    get("show a lease as an administrator", "/leases/{pending}", "admin"),
    get("show a lease of another project", "/leases/{pending}", "other"),
    get("show an unknown lease", "/leases/nothing"),
    put("rename a lease", "/leases/{pending}", {"name": "renamed"}),
    put("change nothing of a lease", "/leases/{pending}", {}),
    put("change an unknown lease", "/leases/nothing", {"name": "renamed"}),
    put("prolong a lease", "/leases/{pending}", {"end_date": "{later}"}),
    put("shorten a lease", "/leases/{pending}", {"end_date": "{middle}"}),
    put("end a lease before its start", "/leases/{pending}", {"end_date": "{past}"}),
    put("move a start into the past", "/leases/{pending}", {"start_date": "{past}"}),
    change("lease more hosts", "pending", min=1, max=2),
    change("lease more hosts than there are by a change", "pending", min=9, max=9),
    change("change the filter of a lease", "pending", resource_properties='["==", "$rack", "r2"]'),
    change("change the kind of a reservation", "pending", resource_type="virtual:instance"),
    change("lease more instances", "slots", amount=2),
    change("lease other instances", "slots", vcpus=2),
    change("lease more instances of a flavor", "flavor", amount=2),
    change("lease another amount of addresses", "fip", amount=0),
    put("change an unknown reservation", "/leases/{pending}", {"reservations": [{"id": "nothing", "min": 1}]}),
    put("change a reservation without its id", "/leases/{pending}", {"reservations": [{"min": 1, "max": 1}]}),
    get("list allocations", "/os-hosts/allocations", "admin"),
    get("list allocations of a lease", "/os-hosts/allocations?lease_id={pending}", "admin"),
    get("list allocations of a reservation", "/os-hosts/allocations?reservation_id={pending-reservation}", "admin"),
    get("list allocations as a member", "/os-hosts/allocations"),
    get("show the allocation of a host", "/os-hosts/{host1}/allocation", "admin"),
    delete("remove a host that is leased", "/os-hosts/{host2}", "admin"),
    delete("delete an unknown lease", "/leases/nothing"),
    delete("delete a lease as a reader", "/leases/{empty}", "reader"),
    delete("delete a lease", "/leases/{empty}"),
    delete("delete a lease twice", "/leases/{empty}"),
]

# No request moves the start: Blazar permits that for one minute, so its response would depend on the cloud's speed.
RUNNING = [
    create("lease a host now", {**HOST, "hypervisor_properties": THIRD}, remember="running", start="now"),
    get("show a running lease", "/leases/{running}", wait=("running", "ACTIVE")),
    put("prolong a running lease", "/leases/{running}", {"end_date": "{later}"}),
    put("rename a running lease", "/leases/{running}", {"name": "renamed"}),
    change("change the kind of a running reservation", "running", resource_type="virtual:instance"),
    get("show the allocation of a running host", "/os-hosts/{host3}/allocation", "admin"),
    delete("delete a running lease", "/leases/{running}"),
]

PROTOCOL = [
    get("ask without a token", "/leases", None),
    get("ask for another version of the API", "/leases", headers={"OpenStack-API-Version": "reservation 2.0"}),
    get("ask for the version of the API", "/leases", headers={"OpenStack-API-Version": "reservation 1.0"}),
    get("ask for a path that is none", "/nothing"),
    Step("use a method that a route does not have", "PATCH", "/leases", {}),
    get("list leases with an unknown parameter", "/leases?colour=blue"),
]

END = [
    *(delete("delete the lease %s" % name, "/leases/{%s}" % name) for name in (
        "pending", "slots", "flavor", "fip", "affine", "announced", "filtered", "coloured")),
    delete("remove an address", "/floatingips/{address}", "admin"),
    delete("remove a host as a member", "/os-hosts/{host1}"),
    delete("remove an unknown host", "/os-hosts/4711", "admin"),
]

STEPS = [*HOSTS, *LEASES, *RUNNING, *PROTOCOL, *END]
