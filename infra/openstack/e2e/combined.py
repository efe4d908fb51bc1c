"""Scenarios of leases of five kinds on the testbed: the order of their starts, and failed starts."""

import contextlib

from testbed.users import catch

HOST, NETWORK, VOLUME = "physical:host", "virtual:network", "virtual:volume"
FLOATING_IP, STACK = "virtual:floatingip", "virtual:stack"

# The kinds that start together, before the others, and all kinds.
FIRST = {HOST, NETWORK, VOLUME}
ALL = {*FIRST, FLOATING_IP, STACK}

ADDRESS = "172.24.4.241"
SEGMENTS = ("vlan/physnet1/1501", "vlan/physnet1/1502")
NAME = "combined"

# Heat checks that the key exists when it creates a stack, and when it previews one.
KEYED = {"type": "OS::Nova::Server", "properties": {
    "flavor": "m1.tiny", "image": "cirros", "networks": [{"network": "private"}], "key_name": NAME}}


class Combined:
    """The scenarios of five kinds, with the product, the users and the cloud of the scenarios of stacks."""

    def __init__(self, life, host):
        """Takes the other scenarios, and a host that no lease has."""
        self.life = life
        self.admin = life.admin
        self.host = host

    def live(self):
        with contextlib.ExitStack() as things:
            self.enrol(things)
            lease, ids = self.start_in_order()
            self.delete(lease, ids)
            self.fail()

    def enrol(self, things):
        things.callback(self.life.retire, [self.life.enrol(self.host)])
        for name in SEGMENTS:
            self.add(things, "/api/resources", {"kind": NETWORK, "name": name})
        self.add(things, "/v1/floatingips", {"floating_network_id": self.life.pool, "floating_ip_address": ADDRESS})

    def add(self, things, path, body):
        made = self.life.ask("POST", path, body, user="admin")
        things.callback(self.life.ask, "DELETE", "%s/%s" % (path, made.get("floatingip", made)["id"]), user="admin")

    def start_in_order(self):
        """Checks the order of the starts; returns the lease, and its reservations by kind."""
        lease, ids = self.lease(ALL, self.disk())
        seen = []
        catch(lambda: self.look(lease, ids, seen) == "active", "all five kinds have started")
        self.life.count(all(NETWORK in active for there, active in seen if FLOATING_IP in there)
                        and all(ALL - {STACK} <= active for there, active in seen if STACK in there),
                        "nothing is in the cloud before what it needs is active", seen)
        self.life.count(any(active and STACK not in active for _, active in seen) and seen[-1] == (ALL, ALL),
                        "each of five kinds shows its own status, and all are in the cloud", seen)
        kinds = {one: kind for kind, one in ids.items()}
        order = [kinds[each["reservationId"]] for each in self.events(lease, "ReservationActivated")]
        self.life.count(set(order[:3]) == FIRST and order[3:] == [FLOATING_IP, STACK],
                        "they started in the order of their kinds", order)
        return lease, ids

    def look(self, lease, ids, seen):
        """Remembers what is in the cloud, and after that, what is active; returns the status of the lease."""
        there = self.there(ids)
        shown = self.life.ask("GET", "/api/leases/" + lease)
        active = {each["kind"] for each in shown["reservations"] if each["status"] == "active"}
        if not seen or seen[-1] != (there, active):
            seen.append((there, active))
        return shown["status"]

    def there(self, ids):
        """Returns the kinds of which the cloud has something."""
        found = {
            HOST: lambda one: self.admin.aggregate(one),
            NETWORK: lambda one: self.tagged("networks", one),
            VOLUME: lambda one: [each for each in self.volumes() if one in each["metadata"].values()],
            FLOATING_IP: lambda one: self.tagged("floatingips", one),
            STACK: self.life.of,
        }
        return {kind for kind, one in ids.items() if found[kind](one)}

    def tagged(self, what, reservation):
        return self.admin.cloud.get("network", "/v2.0/%s?tags=reservation:%s" % (what, reservation))[what]

    def volumes(self):
        path = "/%s/volumes/detail?all_tenants=1" % self.admin.cloud.project
        return self.admin.cloud.get("block-storage", path)["volumes"]

    def events(self, lease, name):
        return [each["details"] for each in self.life.ask("GET", "/api/leases/%s/history" % lease)["events"]
                if each["type"] == name]

    def fail(self):
        """Checks both policies for the failed start of a stack."""
        with contextlib.ExitStack() as things:
            self.life.holder.make(things, "compute", "/os-keypairs", "keypair", {"name": NAME}, key="name")
            stack = {"template": self.life.template({"web": KEYED})}
            released, its = self.lease(ALL, stack, start=15, on_failure="release")
            kept, ours = self.lease({NETWORK, VOLUME, STACK}, stack, start=15)
        self.life.await_status(released, "ended")
        self.life.await_status(kept, "error")
        causes = [each["cause"] for each in self.events(released, "LeaseEnded")]
        self.life.count(causes == ["START_FAILED"] and len(self.events(released, "ReservationActivated")) == 4
                        and not self.there(its) and self.host in self.admin.freepool()["hosts"],
                        "a stack that cannot start releases all that has started", (causes, self.there(its)))
        shown = self.life.ask("GET", "/api/leases/" + kept)
        status = {each["kind"]: each["status"] for each in shown["reservations"]}
        self.life.count(status[NETWORK] == status[VOLUME] == "active" != status[STACK]
                        and self.there(ours) == {NETWORK, VOLUME} and "could not be started" in shown["explanation"],
                        "or is kept, with all else that runs", (status, shown["explanation"]))
        self.life.delete(released)
        self.delete(kept, ours)

    def delete(self, lease, ids):
        self.life.delete(lease)
        self.life.count(not self.there(ids), "its end removes all its kinds from the cloud", self.there(ids))

    def lease(self, kinds, stack, **more):
        """Returns a new lease, and its reservations by kind; the last to start comes first in the request."""
        parameters = {
            STACK: stack,
            FLOATING_IP: {"network_id": self.life.pool, "amount": 1},
            VOLUME: self.volume(1),
            NETWORK: {"network_name": NAME},
            HOST: {"min": 1, "max": 1},
        }
        start = more.pop("start", 0)
        wish = {**self.life.wish(STACK, {}, NAME, start=start), **more, "reservations": [
            {"kind": kind, "parameters": parameters[kind]} for kind in parameters if kind in kinds]}
        made = self.life.ask("POST", "/api/leases", wish)
        return made["id"], {each["kind"]: each["id"] for each in made["reservations"]}

    def disk(self):
        """Returns the parameters of a stack of a small volume."""
        return {"template": self.life.template({"disk": self.life.volume(1)})}

    def volume(self, size):
        return self.life.volume(size)["properties"]
