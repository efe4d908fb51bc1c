"""Fixtures in the cloud for the contract of the plug-ins, made before it and removed after it.

    python3 -m e2e.contract make volume server …      prints a line of `NAME=value` for each setting of the tests
    python3 -m e2e.contract remove volume server …    removes by name, and continues after a refusal

REST, because each command of the command line takes more than a second of CPU to start.
"""

import contextlib
import sys

from testbed.rest import Refused
from testbed.users import Gone, User, await_that

# Kinds whose fixtures need a trust of the user.
TRUSTED = {"volume", "server", "stack"}

TYPES = ("contract-1", "contract-2", "contract-3")
POOLS = ("contract-1", "contract-2", "contract-3")

# Hosts in separate zones, so that no server gets a host that is leased as a host.
ZONES = {"contract-%d" % number: "compute-%03d" % number for number in (6, 7, 8)}
SERVERS = 6


class Fixtures:
    def __init__(self):
        self.admin, self.demo = User("admin"), User("demo")

    def network(self, name="public"):
        return self.admin.cloud.get("network", "/v2.0/networks?name=" + name)["networks"][0]["id"]

    def make(self, kinds):
        yield "NETWORK", self.network()
        if TRUSTED.intersection(kinds):
            yield "TRUSTING_PROJECT", self.demo.cloud.project
            yield "TRUST", self.trust()
        if "volume" in kinds:
            yield from self.make_types()
        if "server" in kinds:
            yield from self.make_servers()
        if "stack" in kinds:
            yield from self.make_pools()

    def remove(self, kinds, trust=None):
        """Removes them in the opposite order; returns true if all are gone."""
        steps = []
        if "stack" in kinds:
            steps += [(self.remove_pool, name) for name in POOLS]
        if "server" in kinds:
            steps += [(self.remove_servers,), *((self.remove_zone, zone) for zone in ZONES)]
        if "volume" in kinds:
            steps += [(self.remove_type, name) for name in TYPES]
        if trust:
            steps.append((self.demo.remove, "identity", "/OS-TRUST/trusts/" + trust))
        done = True
        for step, *arguments in steps:
            try:
                step(*arguments)
            except (Refused, AssertionError, OSError) as failure:
                done = False
                print(failure, file=sys.stderr)
        return done

    def trust(self):
        """Returns the id of a trust that Heat can pass on, with the roles of a member."""
        engine = User("leasehold", "service").cloud
        demo = self.demo.cloud
        return demo.post("identity", "/OS-TRUST/trusts", {"trust": {
            "trustor_user_id": demo.user, "trustee_user_id": engine.user, "project_id": demo.project,
            "impersonation": True, "roles": [{"name": "member"}, {"name": "reader"}],
            "allow_redelegation": True, "redelegation_count": 1}})["trust"]["id"]

    def make_types(self):
        for name in TYPES:
            self.admin.cloud.post("block-storage", self.types(), {"volume_type": {
                "name": name, "extra_specs": {"volume_backend_name": "standard"}}})
        yield "VOLUME_TYPES", ",".join(TYPES)

    def remove_type(self, name):
        """Removes a volume type after its last volume, whose deletion takes a moment."""
        def gone():
            found = [each for each in self.admin.cloud.get("block-storage", self.types())["volume_types"]
                     if each["name"] == name]
            for each in found:
                try:
                    self.admin.cloud.delete("block-storage", "%s/%s" % (self.types(), each["id"]))
                except Refused as refused:
                    if refused.status not in (400, 404):
                        raise
            return not found
        await_that(gone, "the type %s of volumes is gone" % name, patience=30)

    def types(self):
        return "/%s/types" % self.admin.cloud.project

    def make_servers(self):
        for zone, host in ZONES.items():
            made = self.admin.cloud.post("compute", "/os-aggregates", {
                "aggregate": {"name": zone, "availability_zone": zone}})["aggregate"]
            self.admin.cloud.post("compute", "/os-aggregates/%s/action" % made["id"], {"add_host": {"host": host}})
        image = self.demo.cloud.get("image", "/v2/images?name=cirros")["images"][0]["id"]
        self.demo.cloud.post("compute", "/servers", {"server": {
            "name": "contract", "min_count": SERVERS, "max_count": SERVERS, "availability_zone": list(ZONES)[-1],
            "flavorRef": "1", "imageRef": image, "networks": "none"}})
        servers = self.servers()
        if len(servers) != SERVERS:
            raise AssertionError("there are %d servers, not %d" % (len(servers), SERVERS))
        for server in servers:
            self.demo.await_status("compute", "/servers/" + server, "server", "ACTIVE")
        yield "ZONES", ",".join(ZONES)
        yield "SERVERS", ",".join(servers)

    def servers(self):
        names = {"contract-%d" % number for number in range(1, SERVERS + 1)}
        found = self.demo.cloud.get("compute", "/servers?name=contract")["servers"]
        return [each["id"] for each in found if each["name"] in names]

    def remove_servers(self):
        """Removes all servers at once, then waits for each."""
        servers = self.servers()
        for server in servers:
            with contextlib.suppress(Gone):
                self.demo.delete("compute", "/servers/" + server)
        for server in servers:
            await_that(lambda path="/servers/" + server: not self.demo.cloud.exists("compute", path),
                       "the server %s is gone" % server)

    def remove_zone(self, zone):
        if found := self.admin.aggregate(zone):
            self.admin.remove_aggregate(found["id"])

    def make_pools(self):
        """Creates external networks, each with a pool of addresses."""
        made = []
        for name in POOLS:
            network = self.admin.cloud.post("network", "/v2.0/networks", {
                "network": {"name": name, "router:external": True}})["network"]["id"]
            self.admin.cloud.post("network", "/v2.0/subnets", {"subnet": {
                "name": name, "network_id": network, "ip_version": 4, "cidr": "192.0.2.0/28", "enable_dhcp": False}})
            made.append(network)
        yield "TOKEN", self.demo.cloud.token
        yield "POOLS", ",".join(made)

    def remove_pool(self, name):
        for found in self.admin.cloud.get("network", "/v2.0/networks?name=" + name)["networks"]:
            self.admin.cloud.delete("network", "/v2.0/networks/" + found["id"])


def main(what, *kinds):
    if what == "remove":
        trust = next((each[len("trust="):] for each in kinds if each.startswith("trust=")), None)
        sys.exit(0 if Fixtures().remove(kinds, trust) else 1)
    for name, value in Fixtures().make(kinds):
        print("%s=%s" % (name, value), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
