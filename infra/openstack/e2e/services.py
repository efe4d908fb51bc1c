"""Runs one lease of every kind, while each service of the testbed is slow, fails and gives false answers."""

import collections
import contextlib
import json
import os

from e2e.faulty import Faulty
from e2e.life import Life, TrustedLife, isolating
from testbed import zones
from testbed.rest import IDENTITY
from testbed.services import Choices
from testbed.users import await_that

PORTS = {"identity": 5000, "compute": 8774, "placement": 8778, "block-storage": 8776, "network": 9696, "image": 9292,
         "orchestration": 8004}
OURS = 32260

# Distances between faults, in requests. A start of instances makes a dozen changes in two services: if one of
# five failed, it would need many retries, and each of them waits twice as long as the one before.
ONE_IN_FIVE, ONE_IN_TEN = (3, 7, 4, 6, 5), (6, 13, 9, 12, 10)
MUCH_ASKED = ("compute", "placement", "orchestration")
PATIENCE = 300
ROUNDS = 3

TYPE = "services-%d" % os.getpid()
MARK = "leasehold:reservation"
HOST, SHARED = "compute-005", "compute-006"
ADDRESS, SEGMENT = "172.24.4.246", "vlan/physnet1/1511"

# Possible leftovers: their service, the path that lists them, and the field that identifies them.
THINGS = (
    ("compute", "/servers?all_tenants=1", "id"),
    ("compute", "/os-server-groups?all_projects=1", "id"),
    ("compute", "/os-aggregates", "id"),
    ("compute", "/flavors?is_public=None", "id"),
    ("placement", "/resource_classes", "name"),
    ("block-storage", "/%(project)s/volumes?all_tenants=1", "id"),
    ("block-storage", "/%(project)s/snapshots?all_tenants=1", "id"),
    ("network", "/v2.0/networks", "id"),
    ("network", "/v2.0/floatingips", "id"),
    ("image", "/v2/images", "id"),
    ("orchestration", "/stacks?global_tenant=True", "id"),
)

# Resources that are made for one lease, by the last word of the path. Heat's own resources are not requested here.
MADE = ("os-aggregates", "flavors", "volumes", "networks", "floatingips", "stacks")


class Services(TrustedLife):
    """The scenario: one lease after the other, with one product."""

    def lives(self):
        self.engine.settings.update(isolating(Choices.recorded()))
        with self.between() as services, contextlib.ExitStack() as things:
            self.engine.start()
            enrolled = self.enrol_all(things)
            server = self.holder.server(things, "services")
            self.admin.await_server(server, "ACTIVE")
            for number in range(ROUNDS):
                self.live_through(number, server, services)
            self.tell_what_went_wrong(services)
            self.nothing_twice(services)
            self.no_trust_is_left()
            for path in enrolled:
                self.ask("DELETE", path, user="admin")
            self.retire([])

    @contextlib.contextmanager
    def between(self):
        """Starts faulty proxies for all services; the product gets their addresses from Keystone."""
        ours = {service: OURS + number for number, service in enumerate(PORTS)}
        instead = {":%d/" % port: ":%d/" % ours[service] for service, port in PORTS.items()}
        instead.update({':%d"' % port: ':%d"' % ours[service] for service, port in PORTS.items()})
        with contextlib.ExitStack() as stack:
            services = {service: stack.enter_context(contextlib.closing(Faulty(
                ours[service], port, instead if service == "identity" else ()))) for service, port in PORTS.items()}
            self.engine.settings["leasehold.openstack.auth-url"] = IDENTITY.replace(
                str(PORTS["identity"]), str(ours["identity"]))
            yield services

    def enrol_all(self, things):
        self.admin.make(things, "block-storage", "/%s/types" % self.admin.cloud.project, "volume_type", {
            "name": TYPE, "extra_specs": {"volume_backend_name": "standard"}})
        self.network = self.admin.cloud.get("network", "/v2.0/networks?name=public")["networks"][0]["id"]
        made = [self.enrol(HOST), self.enrol(SHARED)]
        for kind, name in (("virtual:volume", TYPE), ("virtual:network", SEGMENT), ("virtual:server", zones.DEFAULT)):
            made.append(self.ask("POST", "/api/resources", {"kind": kind, "name": name}, user="admin")["id"])
        address = self.ask("POST", "/v1/floatingips", {
            "floating_network_id": self.network, "floating_ip_address": ADDRESS}, user="admin")["floatingip"]
        return ["/api/resources/%s" % each for each in made] + ["/v1/floatingips/" + address["id"]]

    def live_through(self, number, server, services):
        lease = self.ask("POST", "/api/leases", self.all_kinds("everything-%d" % number, server))["id"]
        with contextlib.ExitStack() as trouble:
            # Each round begins with other faults: some services get so few requests that only the first faults happen.
            faults = collections.deque(Faulty.FAULTS)
            faults.rotate(-3 * number)
            for name, service in services.items():
                distances = ONE_IN_TEN if name in MUCH_ASKED else ONE_IN_FIVE
                trouble.enter_context(service.trouble(*faults, distances=distances, late=2.0))
            self.await_status(lease, "active", PATIENCE)
            self.looks_right(lease, server)
            self.ask("DELETE", "/api/leases/" + lease)
            self.await_status(lease, 404, PATIENCE)
        await_that(lambda: self.server(server)["status"] == "SHELVED_OFFLOADED", "the server is shelved")
        self.holder.act(server, "unshelve")
        self.admin.await_server(server, "ACTIVE")

    def all_kinds(self, name, server):
        def on(host):
            return json.dumps(["==", "$hypervisor_hostname", host])

        parameters = {
            "physical:host": {"min": 1, "max": 1, "hypervisor_properties": on(HOST), "resource_properties": "",
                              "before_end": "default"},
            "virtual:instance": {"vcpus": 2, "memory_mb": 2048, "disk_gb": 10, "amount": 2, "affinity": "none",
                                 "resource_properties": on(SHARED)},
            "virtual:volume": {"volume_type": TYPE, "size": 5, "name": name, "on_end": "delete"},
            "virtual:floatingip": {"network_id": self.network, "amount": 1, "required_floatingips": [ADDRESS]},
            "virtual:network": {"network_name": name, "network_description": "", "resource_properties": "",
                                "network_properties": json.dumps(["==", "$segment_id", "1511"])},
            "virtual:server": {"server_id": server},
            "virtual:stack": {"template": {"heat_template_version": "2018-08-31", "resources": {
                "data": {"type": "OS::Cinder::Volume", "properties": {"size": 1, "volume_type": TYPE}}}}},
        }
        wish = Life.wish(None, None, name, start=6)
        wish["reservations"] = [{"kind": kind, "parameters": each} for kind, each in parameters.items()]
        return wish

    def looks_right(self, lease, server):
        """Checks the resources in the cloud, without the proxies."""
        reservations = {each["kind"]: each["id"] for each in self.ask("GET", "/api/leases/" + lease)["reservations"]}
        mark = "reservation:%s"
        floating = self.admin.cloud.get("network", "/v2.0/floatingips?floating_ip_address=" + ADDRESS)["floatingips"]
        networks = self.admin.cloud.get("network", "/v2.0/networks")["networks"]
        volumes = self.listed("block-storage", "/%(project)s/volumes/detail?all_tenants=1")
        stacks = self.listed("orchestration", "/stacks?global_tenant=True")
        running = self.server(server)
        found = {
            "physical:host": (self.admin.aggregate(reservations["physical:host"]) or {"hosts": []})["hosts"] == [HOST],
            "virtual:instance": self.admin.cloud.exists("compute", "/flavors/" + reservations["virtual:instance"]),
            "virtual:volume": [each["status"] for each in volumes if each["metadata"].get(MARK)
                               == reservations["virtual:volume"]] == ["available"],
            "virtual:floatingip": [mark % reservations["virtual:floatingip"] in each["tags"]
                                   for each in floating] == [True],
            "virtual:network": len([each for each in networks
                                    if mark % reservations["virtual:network"] in each["tags"]]) == 1,
            "virtual:server": (running["status"], running["metadata"].get(MARK))
                              == ("ACTIVE", reservations["virtual:server"]),
            "virtual:stack": [each["stack_status"] for each in stacks if each["stack_name"]
                              == "leasehold-" + reservations["virtual:stack"]] == ["CREATE_COMPLETE"],
        }
        self.count(all(found.values()), "whatever the services do, the lease gets all that it is to have", found)

    def tell_what_went_wrong(self, services):
        for name, service in services.items():
            # The image service gets no requests here.
            self.count({"lost", "cut"} <= set(service.happened) or name == "image", "%s: %s" % (name, ", ".join(
                "%s %d" % each for each in sorted(service.happened.items())) or "nothing went wrong"))

    def nothing_twice(self, services):
        made, removed = collections.Counter(), collections.Counter()
        for service in services.values():
            for method, path, _ in service.changes:
                words = path.split("?")[0].rstrip("/").split("/")
                if method == "POST" and words[-1] in MADE:
                    made[words[-1]] += 1
                elif method == "DELETE":
                    # The path of a Heat stack has a name and an id.
                    removed.update((kind, words[-1]) for kind in words[-3:-1] if kind in MADE)
        # The lease of a host and the lease of instances have an aggregate each.
        expected = {each: ROUNDS for each in MADE} | {"os-aggregates": 2 * ROUNDS}
        self.count(set(removed.values()) == {1} and collections.Counter(kind for kind, _ in removed) == expected,
                   "each thing is removed once", removed)
        # The freepool stays.
        expected["os-aggregates"] += 1
        self.count(made == expected, "and was made once", made)

    def server(self, server):
        return self.admin.cloud.get("compute", "/servers/" + server)["server"]

    def listed(self, service, path):
        answer = self.admin.cloud.get(service, path % {"project": self.admin.cloud.project})
        return next(each for name, each in answer.items() if not name.endswith("_links"))

    def everything(self):
        """Returns everything that leases could leave behind."""
        return {(service, path, str(each[key])): each.get("name", each.get("stack_name", ""))
                for service, path, key in THINGS
                for each in self.listed(service, path)}

    def tidy(self, before):
        after = self.everything()
        for service, path, one in set(after) - set(before):
            name = after[service, path, one]
            path = path.split("?")[0]
            if path == "/os-aggregates":
                self.admin.remove_aggregate(one)
            elif path == "/resource_classes":
                self.remove_class(one)
            elif path == "/stacks":
                self.admin.remove(service, "/stacks/%s/%s" % (name, one))
            else:
                self.admin.remove(service, path % {"project": self.admin.cloud.project} + "/" + one)


if __name__ == "__main__":
    Services.main("services", "floatingips", "networks", "servers", "stacks", "volumes")
