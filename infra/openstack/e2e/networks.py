"""Scenarios of leases of networks on the testbed's Neutron, checked as users and operators see them."""

import contextlib
import datetime
import json
import sys
import uuid

from e2e.life import Life, openstack, settings
from harness.leases import create, status
from harness.trial import Trial, arguments
from testbed import processes
from testbed.users import User, await_that, catch

PORT = 32300

KIND = "virtual:network"
VLAN, NEXT, OVERLAY = "vlan/physnet1/1501", "vlan/physnet1/1502", "vxlan/-/70501"
SEGMENTS = (VLAN, NEXT, OVERLAY)
LEFT_OVER, IMPOSSIBLE = "vlan/physnet1/1503", "vlan/physnet1/4095"


class Networks(Life):
    """The scenarios of networks, one after the other, with one product."""

    def __init__(self, trial, engine):
        self.trial = trial
        self.engine = engine
        self.words = ""
        self.admin, self.holder, self.other = User("admin"), User("demo"), User("other")
        self.outside = self.get("networks?name=public")[0]["id"]
        self.enrolled = []

    def lives(self):
        self.engine.start()
        self.enrol_all()
        self.use()
        self.end_by_time()
        self.keep_by_force()
        self.die_in_a_start()
        self.die_in_an_end()
        self.find_it_taken()
        self.drift()
        self.retire_all()

    def enrol_all(self):
        for name in SEGMENTS:
            made = self.ask("POST", "/api/resources", {"kind": KIND, "name": name}, user="admin")
            self.enrolled.append(made["id"])
        self.count(made["attributes"] == {"network_type": "vxlan", "segment_id": 70501}, "segments are enrolled", made)
        with self.stranger(LEFT_OVER) as network:
            for name, answer, words in ((IMPOSSIBLE, 400, "vlan/<physical network>/<1 to 4094>"),
                                        ("physnet1", 404, "no resource of that name"),
                                        (LEFT_OVER, 409, network), (VLAN, 409, "enrolled already")):
                seen, text = self.engine.call("admin", "POST", "/api/resources", {"kind": KIND, "name": name})
                self.count(seen == answer and words in text, "%s is not enrolled: %d" % (name, answer), text)

    def use(self):
        """Checks a lease from before its start to its deletion, and the segment afterwards."""
        with contextlib.ExitStack() as things:
            old = self.holder.make(things, "network", "/v2.0/routers", "router", {"name": "lives-old"})["id"]
            lease = self.lease("lab", VLAN, start=600)
            reservation = self.reservation(lease)
            self.count(not self.of(reservation), "before the start there is none")
            self.move(lease, start=8)
            self.await_status(lease, "active")
            mine = self.of(reservation)[0]["id"]
            shown = openstack("network", "show", mine)
            self.count((shown["provider:network_type"], shown["provider:physical_network"],
                        int(shown["provider:segmentation_id"])) == ("vlan", "physnet1", 1501)
                       and shown["project_id"] == self.holder.cloud.project and shown["name"] == "lab"
                       and shown["description"] == "of the lab",
                       "it is the project's, on the segment, called as was asked", shown)
            tagged = openstack("network", "list", "--tags", "blazar,reservation:" + reservation)
            self.count([each["ID"] for each in tagged] == [mine], "and is found by its tags", tagged)
            self.count(self.holder.cloud.exists("network", "/v2.0/networks/" + mine)
                       and not self.other.cloud.exists("network", "/v2.0/networks/" + mine),
                       "its holder sees it, a stranger does not")
            answer, text = self.engine.call("other", "POST", "/api/leases", self.asked("same", VLAN))
            self.count(answer == 409 and "shortages" in text,
                       "the segment is refused to others meanwhile", text)
            shown = self.ask("GET", "/v1/leases/" + lease)["lease"]["reservations"][0]
            self.count(shown["network_id"] == mine, "the response has the id of the network", shown)
            answer, text = self.engine.call("demo", "PATCH", "/api/leases/" + lease, {
                "reservations": [{"id": reservation, "parameters": {"network_name": "mine"}}]})
            self.count(answer == 400 and "has already started" in text, "what is there stays as it is", text)
            self.holder.cloud.put("network", "/v2.0/networks/" + mine, {"network": {"name": "mine"}})
            server, ip = self.populate(things, mine, old)
            self.delete(lease)
            self.count(not self.of(reservation) and not self.holder.cloud.exists("network", "/v2.0/networks/" + mine)
                       and not self.get("subnets?network_id=" + mine) and not self.get("ports?network_id=" + mine),
                       "its end takes it down, with its subnets and ports")
            self.count([each["id"] for each in self.routers()] == [old], "and the router that was made for it",
                       self.routers())
            await_that(lambda: not self.admin.cloud.get("compute", "/servers/" + server)["server"]["addresses"],
                       "the server has no address any more")
            still = self.admin.cloud.get("compute", "/servers/" + server)["server"]["status"]
            self.count(still == "ACTIVE", "the server goes on without it", still)
            floating = self.holder.cloud.get("network", "/v2.0/floatingips/" + ip)["floatingip"]
            self.count(floating["port_id"] is None, "a floating IP leads nowhere, and stays", floating)
        lease = create(self.engine, self.asked("theirs", VLAN), "other")
        await_that(lambda: status(self.engine, lease, "other") == "active", "another project's lease is active")
        theirs = self.on(VLAN)
        self.count(theirs["project_id"] == self.other.cloud.project and theirs["id"] != mine,
                   "afterwards the segment is given to another project", theirs)
        self.ask("DELETE", "/api/leases/" + lease, user="other")
        await_that(lambda: status(self.engine, lease, "other") == 404, "the lease is gone")

    def populate(self, things, network, old):
        """Creates everything that prevents Neutron from deleting a network."""
        make, cloud = self.holder.make, self.holder.cloud
        subnet = make(things, "network", "/v2.0/subnets", "subnet", {
            "network_id": network, "ip_version": 4, "cidr": "10.97.0.0/24"})["id"]
        made = datetime.datetime.fromisoformat(self.get("networks?id=" + network)[0]["created_at"])
        await_that(lambda: datetime.datetime.now(datetime.timezone.utc) - made > datetime.timedelta(seconds=1),
                   "another second has begun")
        router = make(things, "network", "/v2.0/routers", "router", {
            "name": "lives", "external_gateway_info": {"network_id": self.outside}})["id"]
        cloud.put("network", "/v2.0/routers/%s/add_router_interface" % router, {"subnet_id": subnet})
        second = make(things, "network", "/v2.0/ports", "port", {
            "network_id": network, "fixed_ips": [{"ip_address": "10.97.0.200"}]})["id"]
        cloud.put("network", "/v2.0/routers/%s/add_router_interface" % old, {"port_id": second})
        for each, via in ((router, "10.97.0.77"), (old, "10.97.0.78")):
            cloud.put("network", "/v2.0/routers/" + each, {"router": {
                "routes": [{"destination": "10.96.0.0/24", "nexthop": via}]}})
        server = self.holder.server(things, "lives", networks=[{"uuid": network}])
        self.admin.await_server(server, "ACTIVE")
        port = self.get("ports?device_id=" + server)[0]["id"]
        ip = make(things, "network", "/v2.0/floatingips", "floatingip", {
            "floating_network_id": self.outside, "port_id": port})["id"]
        make(things, "network", "/v2.0/ports", "port", {"network_id": network, "name": "lives"})
        # The network's owner may set any device owner; none of these is true.
        for owner in ("network:router_interface", "network:router_centralized_snat", "network:anything"):
            make(things, "network", "/v2.0/ports", "port", {
                "network_id": network, "name": "says what is not so", "device_owner": owner,
                "device_id": str(uuid.uuid4())})
        make(things, "network", "/v2.0/ports", "port", {
            "network_id": network, "name": "of no router", "device_owner": "network:router_interface"})
        self.count(True, "its holder makes a subnet, two routers, a server and a floating IP there")
        return server, ip

    def end_by_time(self):
        lease = self.lease("short", OVERLAY)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        seen = self.of(reservation)[0]
        self.count((seen["provider:network_type"], seen["provider:segmentation_id"]) == ("vxlan", 70501),
                   "a short lease has its VXLAN", seen)
        self.move(lease, end=8)
        self.await_status(lease, "ended")
        self.count(not self.of(reservation) and not self.on(OVERLAY), "its time is over, and the segment free")
        self.delete(lease)

    def keep_by_force(self):
        lease = self.lease("dear", VLAN)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        mine = self.of(reservation)[0]["id"]
        self.holder.cloud.put("network", "/v2.0/networks/" + mine, {"network": {"description": "mine"}})
        self.holder.cloud.put("network", "/v2.0/networks/%s/tags" % mine, {"tags": []})
        self.delete(lease)
        self.count(not self.on(VLAN), "who wipes off all marks does not keep the segment")

    def die_in_a_start(self):
        lease = self.lease("interrupted", *SEGMENTS)
        catch(lambda: any(map(self.on, SEGMENTS)), "the start has begun")
        self.engine.kill()
        there = [each for each in map(self.on, SEGMENTS) if each]
        self.count(not all(each["description"] == "of the lab" for each in there) or len(there) < 3,
                   "the product is killed in the middle of a start", there)
        self.engine.start()
        self.await_status(lease, "active")
        there = [self.on(segment) for segment in SEGMENTS]
        ours = {"reservation:" + each["id"] for each in self.ask("GET", "/api/leases/" + lease)["reservations"]}
        self.count(all(each["description"] == "of the lab" and "blazar" in each["tags"] for each in there)
                   and {tag for each in there for tag in each["tags"]} == ours | {"blazar"},
                   "the next start goes on, and the lease gets all", there)
        self.delete(lease)
        self.count(not any(map(self.on, SEGMENTS)), "and gives all back")

    def die_in_an_end(self):
        with contextlib.ExitStack() as things:
            old = self.holder.make(things, "network", "/v2.0/routers", "router", {"name": "lives-old"})["id"]
            lease = self.lease("cut-short", VLAN)
            reservation = self.reservation(lease)
            self.await_status(lease, "active")
            network = self.of(reservation)[0]["id"]
            server, _ = self.populate(things, network, old)
            self.ask("DELETE", "/api/leases/" + lease)
            catch(lambda: not self.get("ports?device_id=" + server), "the end has begun")
            self.engine.kill()
            left = self.get("ports?network_id=" + network)
            self.count(self.on(VLAN), "the product is killed in the middle of an end", left)
            self.engine.start()
            self.await_status(lease, 404)
            self.count(not self.on(VLAN) and [each["id"] for each in self.routers()] == [old],
                       "the next start ends it, the router included", self.routers())

    def find_it_taken(self):
        with self.stranger(NEXT) as stranger:
            lease = self.lease("unlucky", NEXT)
            self.await_status(lease, "error")
            answer = self.engine.call("demo", "GET", "/api/leases/" + lease)[1]
            self.count("another one's" in answer, "a segment that an administrator gave away is not taken", answer)
            self.count(self.on(NEXT)["id"] == stranger, "nor is its network touched")
        self.ask("POST", "/api/operations/leases/%s/retry" % lease, user="admin")
        self.await_status(lease, "active")
        self.count(self.on(NEXT), "when it is free, another try succeeds")
        self.delete(lease)

    def drift(self):
        """Checks drift: a holder deletes a network, and a network names a lease that does not exist."""
        lease = self.lease("wasted", VLAN)
        self.await_status(lease, "active")
        reservation = self.reservation(lease)
        mine = self.of(reservation)[0]["id"]
        self.count(not any(self.drifted().values()), "the cloud is as it should be")
        self.holder.remove("network", "/v2.0/networks/" + mine)
        found = self.drifted()
        self.count(found["missing"] == [{"kind": KIND, "lease_id": lease, "reservation_id": reservation}]
                   and not found["leftovers"], "a network that its holder deleted is named", found)
        self.delete(lease)
        stray = str(uuid.uuid4())
        with self.stranger(NEXT) as left:
            self.admin.cloud.put("network", "/v2.0/networks/%s/tags" % left, {"tags": ["reservation:" + stray]})
            found = self.drifted()
            self.count(found["leftovers"] == [{"kind": KIND, "reservation_id": stray, "things": [
                "network/%s reservation:%s" % (NEXT, stray)]}], "and what no lease has left", found)

    def drifted(self):
        return self.ask("GET", "/api/operations/drift", user="admin")

    def retire_all(self):
        for resource in self.enrolled:
            self.ask("DELETE", "/api/resources/%s" % resource, user="admin")
        self.count(not self.ask("GET", "/api/resources?kind=" + KIND, user="admin")["resources"], "all are retired")

    def lease(self, name, *segments, **times):
        return self.ask("POST", "/api/leases", self.asked(name, *segments, **times))["id"]

    def asked(self, name, *segments, **times):
        """Returns a request with one reservation of each segment."""
        wish = self.wish(KIND, {}, name, **times)
        wish["reservations"] = [{"kind": KIND, "parameters": {
            "network_name": name, "network_description": "of the lab", "resource_properties": "",
            "network_properties": json.dumps(["==", "$segment_id", segment.rsplit("/", 1)[1]])}}
            for segment in segments]
        return wish

    def get(self, path):
        return self.admin.cloud.get("network", "/v2.0/" + path)[path.split("?")[0]]

    def of(self, reservation):
        """Returns the networks with the reservation's name in a tag or in the description."""
        mark = "reservation:" + reservation
        return [each for each in self.get("networks") if mark in each["tags"] or each["description"] == mark]

    def on(self, segment):
        """Returns the network on the segment, or None if there is none."""
        kind, _, number = segment.split("/")
        found = self.get("networks?provider:network_type=%s&provider:segmentation_id=%s" % (kind, number))
        return found[0] if found else None

    def routers(self):
        return [each for each in self.get("routers") if each["name"].startswith("lives")]

    @contextlib.contextmanager
    def stranger(self, segment):
        """Creates a network of another project on the segment."""
        kind, physical, number = segment.split("/")
        with contextlib.ExitStack() as things:
            yield self.admin.make(things, "network", "/v2.0/networks", "network", {
                "name": "theirs", "project_id": self.other.cloud.project, "provider:network_type": kind,
                "provider:physical_network": physical, "provider:segmentation_id": number})["id"]

    def everything(self):
        """Returns everything that leases could leave behind."""
        found = {each["id"]: "network " + each["name"] for each in self.get("networks")}
        found.update((each["id"], "router " + each["name"]) for each in self.routers())
        return found

    def tidy(self, before):
        """Removes leftovers in an order that Neutron accepts."""
        left = {one: what for one, what in self.everything().items() if one not in before}
        for one, what in left.items():
            if what.startswith("network"):
                for port in self.get("ports?network_id=" + one):
                    if not port["device_owner"].startswith("network:"):
                        self.admin.remove("network", "/v2.0/ports/" + port["id"])
                for port in self.get("ports?network_id=" + one):
                    router = "/v2.0/routers/" + port["device_id"]
                    self.admin.cloud.put("network", router, {"router": {"routes": []}})
                    self.admin.cloud.put("network", router + "/remove_router_interface", {"port_id": port["id"]})
                self.admin.remove("network", "/v2.0/networks/" + one)
        for one in (each["id"] for each in self.routers() if each["id"] not in before):
            self.admin.remove("network", "/v2.0/routers/" + one)


def main():
    port = arguments(PORT).port
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("networks") as trial:
        # One call after the other, so that a kill can happen between two calls.
        chosen = {**settings(), "leasehold.plugins.openstack-networks.enabled": "true",
                  "leasehold.openstack.most-calls": "1"}
        engine = trial.engine("engine", port, 0, trial.postgres(port + 1).create(), settings=chosen)
        Networks(trial, engine).live()


if __name__ == "__main__":
    main()
