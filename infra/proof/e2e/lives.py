"""End-to-end scenarios with `openstack reservation`, which check the simulated cloud between commands.

Every command of the client that the product supports is used at least once; the list at the end is
checked against what the installed client offers.
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from blazarclient import client as blazarclient
from blazarclient.exception import BlazarClientException
from openstack import config

from e2e.product import Product
from harness.engine import ROOT
from harness.openstack_command import openstack

FORMAT = "%Y-%m-%d %H:%M"

USED = set()
CHECKS = 0


def check(condition, what):
    global CHECKS
    if not condition:
        raise AssertionError(what)
    CHECKS += 1
    print("  ok  " + what, flush=True)


class Cloud:
    """The unmodified command line, as one user."""

    def __init__(self, name, folder):
        self.name = name
        self.environment = dict(os.environ)
        self.environment["OS_CLIENT_CONFIG_FILE"] = os.path.join(folder, "clouds.yaml")
        clouds = config.OpenStackConfig(config_files=[self.environment["OS_CLIENT_CONFIG_FILE"]])
        # The library below the command line; it answers a hundred times as fast.
        self.library = blazarclient.Client(session=clouds.get_one(cloud=name).get_session())

    def run(self, *words, ok=True):
        command = [w for w in words if not w.startswith("-")]
        for length in range(len(command), 1, -1):
            USED.add(" ".join(command[:length]))
        done = openstack(["--os-cloud", self.name, "reservation", *words], self.environment)
        if ok and done.returncode != 0:
            raise AssertionError("%s failed: %s" % (" ".join(words), done.stderr))
        if not ok and done.returncode == 0:
            raise AssertionError("%s should have failed" % " ".join(words))
        return done

    def json(self, *words):
        text = self.run(*words, "-f", "json").stdout
        # Some commands print a sentence before their answer.
        return json.loads(text[min(i for i in (text.find("{"), text.find("[")) if i >= 0):])

    def status(self, lease):
        return next(each["status"] for each in self.library.lease.list() if each["name"] == lease)

    def refused(self, *words):
        return self.run(*words, ok=False).stderr

    def ask(self, name, *reservations):
        """Creates a lease of half an hour with the client's library: older command lines cannot name every kind."""
        return self.library.lease.create(name, "now", minutes(30), list(reservations), [])

    def is_refused(self, *wish):
        try:
            self.ask(*wish)
        except BlazarClientException as refusal:
            return str(refusal)
        raise AssertionError("%s should have been refused" % (wish,))


def minutes(count):
    """Returns the time in the client's format, this number of minutes after the current minute."""
    now = datetime.datetime.now(datetime.timezone.utc).replace(second=0, microsecond=0)
    return (now + datetime.timedelta(minutes=count)).strftime(FORMAT)


def minute_after(seconds):
    """
    Returns the first full minute that begins after this number of seconds: clients know minutes only, and the requests
    before that minute take a while.
    """
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds, minutes=1)
    return then.replace(second=0, microsecond=0).strftime(FORMAT)


def reservation(minimum, maximum, resource_properties="", hypervisor_properties=""):
    text = "resource_type=physical:host,min=%d,max=%d" % (minimum, maximum)
    if resource_properties:
        text += ",resource_properties=" + resource_properties
    if hypervisor_properties:
        text += ",hypervisor_properties=" + hypervisor_properties
    return text


def instances(amount, vcpus, affinity="None", host="compute-5"):
    return (
        "resource_type=virtual:instance,vcpus=%d,memory_mb=1024,disk_gb=1,amount=%d,affinity=%s,"
        'resource_properties=["==", "$hypervisor_hostname", "%s"]' % (vcpus, amount, affinity, host)
    )


def of_flavor(flavor, amount, affinity="None"):
    return {"resource_type": "flavor:instance", "flavor_id": flavor, "amount": amount, "affinity": affinity}


def await_status(user, lease, status, seconds):
    deadline = time.time() + seconds
    while user.status(lease) != status and time.time() < deadline:
        time.sleep(0.2)
    seen = user.json("lease", "show", lease)["status"]
    check(seen == status, "%s is %s" % (lease, seen))


def await_that(holds, what, seconds=180):
    deadline = time.time() + seconds
    while not holds() and time.time() < deadline:
        time.sleep(0.5)
    check(holds(), what)


def reservations(lease):
    """Returns a lease's reservations, which the client shows as one or several texts of JSON."""
    value = lease["reservations"]
    if isinstance(value, str):
        value = json.loads("[" + re.sub(r"}\s*{", "},{", value) + "]")
    flat = []
    for item in value if isinstance(value, list) else [value]:
        item = json.loads(item) if isinstance(item, str) else item
        flat.extend(item if isinstance(item, list) else [item])
    return flat


def aggregates_of(product, reservation_id):
    return [a for a in product.cloud()["aggregates"] if a["name"] == reservation_id]


def enrol_hosts(product, demo, admin):
    print("hosts", flush=True)
    hosts = admin.json("host", "list")
    check(len(hosts) == 4, "the first start enrols four hosts")
    created = admin.json("host", "create", "compute-5", "--extra", "gpu=V100")
    check(created["hypervisor_hostname"] == "compute-5", "a host is enrolled by its name")
    check(created["gpu"] == "V100", "with an extra capability")
    check(re.fullmatch(r"\d+", str(created["id"])), "and digits for an id")
    admin.run("host", "set", "compute-5", "--extra", "rack=r1")
    check(admin.json("host", "show", "compute-5")["rack"] == "r1", "a capability is added")
    check("not found" in admin.refused("host", "create", "no-such-host"), "an unknown host is refused")
    check(
        "Policy doesn't allow" in demo.refused("host", "list"),
        "a member may not look at hosts",
    )
    names = [p["property"] for p in admin.json("host", "property", "list")]
    check("gpu" in names and "rack" in names, "properties are listed")
    admin.run("host", "property", "set", "rack", "--private")
    names = [p["property"] for p in admin.json("host", "property", "list")]
    check("rack" not in names, "a private property is hidden")
    admin.run("host", "property", "set", "rack", "--public")
    shown = admin.json("host", "property", "show", "gpu")
    check("V100" in json.dumps(shown), "a property shows its values")
    pool = [a for a in product.cloud()["aggregates"] if a["name"] == "freepool"][0]
    check("compute-5" in pool["hosts"], "the cloud has the host in its freepool")


def live_now(product, demo, other):
    print("a lease for now", flush=True)
    created = demo.json(
        "lease", "create", "now", "--end-date", minutes(30),
        "--reservation", reservation(1, 1, '["==", "$gpu", "V100"]'),
    )
    check(created["status"] in ("PENDING", "STARTING", "ACTIVE"), "it is accepted")
    await_status(demo, "now", "ACTIVE", 20)
    its = reservations(demo.json("lease", "show", "now"))[0]["id"]
    aggregates = aggregates_of(product, its)
    check(len(aggregates) == 1, "the cloud has an aggregate of the reservation's name")
    check(aggregates[0]["hosts"] == ["compute-5"], "with the host that the filter asks for")
    refusal = demo.refused(
        "lease", "create", "too-late", "--end-date", minutes(2),
        "--reservation", reservation(1, 1, '["==", "$gpu", "V100"]'),
    )
    check("Not enough hosts available" in refusal, "the same host is refused to another lease")
    check(
        "not found" in other.refused("lease", "show", created["id"]).lower(),
        "another project's lease does not exist",
    )
    check(other.json("lease", "list") == [], "nor is it listed")
    return its


def change_later(product, demo):
    print("a lease for later", flush=True)
    demo.run(
        "lease", "create", "later", "--start-date", minutes(60), "--end-date", minutes(120),
        "--before-end-date", minutes(110), "--reservation", reservation(1, 2),
    )
    shown = demo.json("lease", "show", "later")
    check(shown["status"] == "PENDING", "it waits for its window")
    start, end = shown["start_date"], shown["end_date"]
    demo.run("lease", "set", "later", "--prolong-for", "1h")
    check(demo.json("lease", "show", "later")["end_date"] > end, "it is prolonged")
    demo.run("lease", "set", "later", "--reduce-by", "1h")
    check(demo.json("lease", "show", "later")["end_date"] == end, "it is reduced")
    demo.run("lease", "set", "later", "--defer-by", "10m")
    check(demo.json("lease", "show", "later")["start_date"] > start, "it is deferred")
    demo.run("lease", "set", "later", "--advance-by", "10m")
    check(demo.json("lease", "show", "later")["start_date"] == start, "it is advanced")
    demo.run("lease", "set", "later", "--name", "much-later")
    its = reservations(demo.json("lease", "show", "much-later"))[0]
    demo.run("lease", "set", "much-later", "--reservation", "id=%s,min=3,max=3" % its["id"])
    grown = reservations(demo.json("lease", "show", "much-later"))[0]
    check((grown["min"], grown["max"]) == (3, 3), "it grows")
    refusal = demo.refused(
        "lease", "set", "much-later", "--reservation", "id=%s,min=9,max=9" % its["id"]
    )
    check("Not enough hosts available" in refusal, "it does not grow beyond what is there")
    after = demo.json("lease", "show", "much-later")
    check(after["status"] == "PENDING", "and a refused change leaves it as it was")
    check(reservations(after)[0]["max"] == 3, "in every part")
    check(aggregates_of(product, its["id"]) == [], "the cloud has nothing of it yet")


def share_a_host(product, demo):
    """Leases instances on compute-5, which has 16 cores and is free again after the leases before."""
    print("instances", flush=True)
    demo.run(
        "lease", "create", "small", "--end-date", minutes(30), "--reservation", instances(1, 4)
    )
    demo.run(
        "lease", "create", "large", "--end-date", minutes(30), "--reservation", instances(1, 8)
    )
    await_status(demo, "small", "ACTIVE", 20)
    await_status(demo, "large", "ACTIVE", 20)
    small = reservations(demo.json("lease", "show", "small"))[0]
    large = reservations(demo.json("lease", "show", "large"))[0]
    check(small["flavor_id"] == small["id"], "an instance has a flavor of its reservation's name")
    check(small["affinity"] is None, "and lies anywhere")
    check(
        product.slots() == {small["id"]: {"compute-5": 1}, large["id"]: {"compute-5": 1}},
        "two leases have slots of one host",
    )
    check(
        "Not enough hosts available" in demo.refused(
            "lease", "create", "over", "--end-date", minutes(20), "--reservation", instances(2, 4)
        ),
        "and nobody gets what is not there",
    )
    check(
        "Not enough hosts available" in demo.refused(
            "lease", "create", "whole", "--end-date", minutes(20),
            "--reservation", reservation(1, 1, '["==", "$gpu", "V100"]'),
        ),
        "nor the host for himself",
    )
    check(
        "An active reservation only accepts to update amount" in demo.refused(
            "lease", "set", "small", "--reservation", "id=%s,vcpus=2" % small["id"]
        ),
        "a running instance keeps its size",
    )
    demo.run("lease", "set", "small", "--reservation", "id=%s,amount=2" % small["id"])
    await_that(lambda: product.slots()[small["id"]] == {"compute-5": 2}, "but there may be more of them")
    shown = json.dumps(demo.json("lease", "show", "small"))
    check(small["id"] in shown, "the lease is shown with it")
    for lease in ("small", "large"):
        demo.run("lease", "delete", lease)
    await_that(lambda: product.slots() == {}, "nothing of them is left in the cloud")


def have_a_flavors_size(product, demo):
    print("instances of a flavor", flush=True)
    demo.ask("flavored", of_flavor("m1.large", 2))
    await_status(demo, "flavored", "ACTIVE", 20)
    its = reservations(demo.json("lease", "show", "flavored"))[0]
    check((its["vcpus"], its["memory_mb"], its["disk_gb"]) == (4, 8192, 80), "a slot has the flavor's size")
    check(its["flavor_id"] == its["id"], "and servers are started by a flavor of the reservation's name")
    check(json.loads(its["resource_properties"])["name"] == "m1.large", "which follows the flavor that was asked for")
    check(sum(product.slots()[its["id"]].values()) == 2, "the cloud has its slots")
    check("Flavor none could not be found." in demo.is_refused("unknown", of_flavor("none", 1)),
          "a flavor that there is not is named")
    check("Affinity not supported yet" in demo.is_refused("together", of_flavor("m1.tiny", 1, "True")),
          "and affinity is none")
    check("Not enough hosts available" in demo.is_refused("over", of_flavor("m1.xlarge", 200)),
          "nobody gets what is not there")
    demo.run("lease", "set", "flavored", "--reservation", "id=%s,amount=3" % its["id"])
    await_that(lambda: sum(product.slots()[its["id"]].values()) == 3, "there may be more of them")
    demo.run("lease", "delete", "flavored")
    await_that(lambda: product.slots() == {}, "nothing of them is left in the cloud")


def refuse_nonsense(demo):
    print("nonsense", flush=True)
    check(
        "Start date must be later than current date" in demo.refused(
            "lease", "create", "past", "--start-date", "2020-01-01 00:00",
            "--end-date", minutes(60), "--reservation", reservation(1, 1),
        ),
        "a start in the past is refused",
    )
    check(
        # The client itself finds this error.
        "The lease parameters are incorrect" in demo.refused(
            "lease", "create", "backwards", "--start-date", minutes(60),
            "--end-date", minutes(30), "--reservation", reservation(1, 1),
        ),
        "an end before the start is refused",
    )
    check(
        "Malformed requirements" in demo.refused(
            "lease", "create", "garbled", "--start-date", minutes(60), "--end-date", minutes(70),
            "--reservation", reservation(1, 1, '["~", "$gpu", "V100"]'),
        ),
        "an unknown operator is refused",
    )


def restart(product, demo, its):
    print("a restart in between", flush=True)
    before = demo.json("lease", "show", "now")
    product.stop()
    product.start()
    check(demo.json("lease", "show", "now") == before, "the lease is as it was after a restart")
    due = minute_after(30)
    demo.run(
        "lease", "create", "asleep", "--start-date", due, "--end-date", minutes(30),
        "--reservation", reservation(1, 1),
    )
    product.kill()
    while minutes(0) < due:
        time.sleep(0.2)
    product.start()
    check(demo.json("lease", "show", "now") == before, "and after the engine was killed")
    check(len(aggregates_of(product, its)) == 1, "the cloud still has its host")
    # Its start was due while the engine was down.
    await_status(demo, "asleep", "ACTIVE", 20)


def end_on_time(product, demo, admin, its, floating_ip, server):
    """Ends all of them at the same minute."""
    print("the end", flush=True)
    due = minute_after(40)
    demo.run("lease", "set", "now", "--end-date", due)
    demo.run("lease", "set", "mine", "--start-date", due)
    for lease in demo.library.lease.list():
        if lease["name"] in ("web", "lab", "data"):
            demo.library.lease.update(lease["id"], end_date=due)
    for lease in ("now", "web", "lab", "data"):
        await_status(demo, lease, "TERMINATED", 240)
    check(reservations(demo.json("lease", "show", "now"))[0]["status"] == "deleted", "with its reservation")
    check(aggregates_of(product, its) == [], "nothing of it is left in the cloud")
    pool = [a for a in product.cloud()["aggregates"] if a["name"] == "freepool"][0]
    check("compute-5" in pool["hosts"], "its host is back in the freepool")
    check(product.floating_ips() == [], "the end of a lease of floating IPs frees all of them")
    admin.run("floatingip", "delete", floating_ip)
    check(len(demo.json("floatingip", "list")) == 4, "an address whose lease is over is retired")
    check(product.networks() == [], "the end of a lease takes its network down")
    check(product.volumes() == [["gold", 600, "data", None]], "the end of a lease leaves the volume to the project")
    await_status(demo, "mine", "ACTIVE", 20)
    mine = reservations(demo.json("lease", "show", "mine"))[0]
    check(product.servers()[server] == ["ACTIVE", mine["id"]], "the start of a lease unshelves its server")
    for lease in ("web", "lab", "data", "mine"):
        demo.run("lease", "delete", lease)
    await_that(lambda: product.servers()[server] == ["SHUTOFF", None], "the end of a lease stops its server, as was asked")


def delete_everything(product, demo, admin):
    print("deletion", flush=True)
    check(
        "The host is reserved" in admin.refused("host", "delete", "compute-1"),
        "a host that is promised is not deleted",
    )
    for lease in demo.json("lease", "list"):
        demo.run("lease", "delete", lease["id"])
    await_that(lambda: not demo.library.lease.list(), "every lease is gone")
    check(demo.json("lease", "list") == [], "and none is listed")
    owned = [a["name"] for a in product.cloud()["aggregates"] if a["name"] != "freepool"]
    check(owned == [], "and the cloud holds nothing that no lease owns")
    admin.run("host", "delete", "compute-5")
    check(len(admin.json("host", "list")) == 4, "a host is retired")
    deadline = time.time() + 120
    while time.time() < deadline:
        pool = [a for a in product.cloud()["aggregates"] if a["name"] == "freepool"][0]
        if "compute-5" not in pool["hosts"]:
            break
        time.sleep(0.5)
    check("compute-5" not in pool["hosts"], "and given back to the cloud")


def lease_floating_ips(product, demo, admin):
    print("floating IPs", flush=True)
    enrolled = demo.json("floatingip", "list")
    check(len(enrolled) == 4, "the first start enrols four floating IPs, and a member may look at them")
    network = enrolled[0]["floating_network_id"]
    made = admin.json("floatingip", "create", network, "203.0.113.230")
    check(made["floating_ip_address"] == "203.0.113.230", "one more is enrolled")
    check(
        demo.json("floatingip", "show", made["id"])["floating_network_id"] == network, "and shown by its id"
    )
    for address, words in (
        ("203.0.113.230", "already registered"),
        ("203.0.113.50", "is used in allocation_pools or gateway_ip"),
        ("192.0.2.1", "Valid subnet for the floating IP 192.0.2.1 is not found."),
    ):
        check(words in admin.refused("floatingip", "create", network, address), address + " is refused")
    check("Policy doesn't allow" in demo.refused("floatingip", "delete", made["id"]), "a member enrols none")

    wish = "resource_type=virtual:floatingip,network_id=%s,amount=%d" % (network, 2)
    required = wish + ',required_floatingips=["203.0.113.230"]'
    demo.run("lease", "create", "web", "--end-date", minutes(30), "--reservation", required)
    await_status(demo, "web", "ACTIVE", 20)
    its = reservations(demo.json("lease", "show", "web"))[0]
    check(
        its["amount"] == 2 and its["required_floatingips"] == ["203.0.113.230"], "a lease has what it asked for"
    )
    project = demo.json("lease", "show", "web")["project_id"]
    owned = product.floating_ips()
    check(
        [address for address, *whose in owned if whose == [project, its["id"]]]
        == ["203.0.113.200", "203.0.113.230"],
        "the cloud made both for its project",
    )
    too_few = "Not enough floating IPs available"
    check(
        too_few in demo.refused("lease", "create", "same", "--end-date", minutes(20), "--reservation", required),
        "an address that is leased is refused to another lease",
    )
    check("allocated by reservations" in admin.refused("floatingip", "delete", made["id"]), "and not retired")
    demo.run("lease", "set", "web", "--reservation", "id=%s,amount=5" % its["id"])
    await_that(lambda: len(product.floating_ips()) == 5, "it grows to all that there are")
    check(
        too_few in demo.refused("lease", "set", "web", "--reservation", "id=%s,amount=6" % its["id"]),
        "and not beyond",
    )
    check(
        "cannot be updated" in demo.refused("lease", "set", "web", "--reservation", "id=%s,amount=1" % its["id"]),
        "an active one gives none back",
    )
    return made["id"]


def lease_networks(product, demo):
    print("networks", flush=True)
    wish = {
        "resource_type": "virtual:network",
        "network_name": "lab",
        "network_description": "of room 7",
        "network_properties": '["==", "$network_type", "vxlan"]',
        "resource_properties": "",
    }
    # The command line cannot request kinds that it does not know; its library can.
    asking = demo.library.lease
    asking.create("lab", "now", minutes(30), [dict(wish)], [])
    await_status(demo, "lab", "ACTIVE", 20)
    shown = demo.json("lease", "show", "lab")
    its = reservations(shown)[0]
    check(its["network_name"] == "lab" and its["resource_type"] == "virtual:network", "a lease has what it asked for")
    check(
        product.networks() == [["vxlan/-/70000", "lab", "of room 7", shown["project_id"], its["id"]]],
        "the cloud made the network for its project, on the one segment that meets the filter",
    )
    try:
        asking.create("same", "now", minutes(20), [dict(wish)], [])
        raise AssertionError("a segment was leased twice")
    except BlazarClientException as refused:
        check("Not enough networks available" in str(refused), "the segment is refused to another lease")


def lease_volumes(product, demo):
    print("volumes", flush=True)
    wish = {"resource_type": "virtual:volume", "volume_type": "gold", "size": 600, "name": "data", "on_end": "detach"}
    asking = demo.library.lease
    asking.create("data", "now", minutes(30), [dict(wish)], [])
    await_status(demo, "data", "ACTIVE", 20)
    shown = demo.json("lease", "show", "data")
    its = reservations(shown)[0]
    check(product.volumes() == [["gold", 600, "data", its["id"]]], "a lease has a volume of its type and size")
    try:
        asking.create("same", "now", minutes(20), [dict(wish)], [])
        raise AssertionError("GiB were leased twice")
    except BlazarClientException as refused:
        check("Not enough volumes available" in str(refused), "the same GiB are refused to another lease")
    return shown["project_id"]


def lease_servers(product, demo, project):
    print("servers", flush=True)
    server = product.make_server(project)
    wish = {"resource_type": "virtual:server", "server_id": server, "on_end": "stop"}
    demo.library.lease.create("mine", minutes(30), minutes(60), [wish], [])
    await_that(lambda: product.servers()[server] == ["SHELVED_OFFLOADED", None],
               "a server is shelved before its lease starts")
    return server


def every_command_was_used():
    helped = subprocess.run(
        ["/usr/bin/openstack", "reservation", "--help"], capture_output=True, text=True, check=False
    ).stdout
    offered = set(re.findall(r"^\s+reservation (.+?)\s*$", helped, re.MULTILINE))
    check(offered and offered <= USED, "every one of %d commands was used" % len(offered))


def main():
    folder = tempfile.mkdtemp(prefix="leasehold-e2e-")
    product = Product(ROOT, folder)
    started = time.time()
    try:
        product.start_by_maven()
        demo = Cloud("leasehold", folder)
        other = Cloud("leasehold-other", folder)
        admin = Cloud("leasehold-admin", folder)
        check(oct(os.stat(os.path.join(folder, "clouds.yaml")).st_mode & 0o777) == "0o600", "clouds.yaml is its owner's alone")
        enrol_hosts(product, demo, admin)
        its = live_now(product, demo, other)
        change_later(product, demo)
        refuse_nonsense(demo)
        restart(product, demo, its)
        floating_ip = lease_floating_ips(product, demo, admin)
        lease_networks(product, demo)
        project = lease_volumes(product, demo)
        server = lease_servers(product, demo, project)
        end_on_time(product, demo, admin, its, floating_ip, server)
        share_a_host(product, demo)
        have_a_flavors_size(product, demo)
        delete_everything(product, demo, admin)
        every_command_was_used()
        product.stop()
    except BaseException:
        print(product.tail(), file=sys.stderr)
        if product.process and product.process.poll() is None:
            product.kill()
        raise
    finally:
        if product.process and product.process.poll() is None:
            product.kill()
    shutil.rmtree(folder)
    print("%d passed, 0 failed in %d s" % (CHECKS, time.time() - started))


if __name__ == "__main__":
    main()
