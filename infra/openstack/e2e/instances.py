"""Scenarios of leases of instances on the testbed's Nova and Placement, checked as users and operators see them."""

import contextlib
import sys

from e2e.life import Life, modes, openstack, settings
from harness.leases import status
from harness.trial import Trial
from testbed import lifecycle, processes, zones
from testbed.isolation import Isolation
from testbed.rest import Refused
from testbed.users import User, await_that, catch

PORT = 32140
HOSTS = ("compute-001", "compute-002", "compute-003")
TRAIT = "CUSTOM_LEASEHOLD_E2E"


class Instances(Life):
    """The scenarios of instances, one after the other."""

    kinds = ("servers", "server groups", "flavors", "resource classes", "aggregates")

    def __init__(self, trial, engine, choices, usual=True):
        super().__init__(trial, engine, choices)
        self.usual = usual
        self.stranger = User("other")

    def lives(self):
        self.engine.settings["leasehold.plugins.openstack-hosts.isolation"] = (
            "filter" if self.choices.filter else "tenancy")
        self.engine.start()
        enrolled = [self.enrol(name) for name in HOSTS]
        self.use()
        if self.usual:
            self.lie_apart()
            self.follow_a_flavor()
            self.drift()
        self.follow_a_trait(enrolled[1])
        if self.usual:
            self.end_by_time()
            self.die_in_a_start()
            self.die_in_an_end()
        self.retire(enrolled)

    def use(self):
        """Checks a lease from before its start to its deletion, with another one on the same host."""
        lease = self.lease("mine", 3, which=HOSTS[0], start=600)
        reservation = self.reservation(lease)
        early = status(self.engine, lease) == "inactive" and not self.exists(reservation)
        self.count(early and self.refused(self.holder, reservation),
                   "before the start its holder gets no server by its flavor")
        self.move(lease, start=8)
        self.await_status(lease, "active")
        self.looks_right(reservation)
        other = self.lease("another", 1, which=HOSTS[0])
        self.await_status(other, "active")
        with contextlib.ExitStack() as things:
            servers = self.boot_each(things, "mine", reservation)
            hosts = [self.admin.await_server(server, "ACTIVE") for server in servers]
            self.count(set(hosts) == {HOSTS[0]}, "its holder gets all of its slots", hosts)
            one_more = self.boot(things, "one-more", reservation)
            self.count(Isolation.await_host(self.admin, one_more) is None, "and not one more")
            self.count(self.refused(self.stranger, reservation), "a stranger gets no server by its flavor")
            self.keeps_ordinary_servers_off(things, reservation)
            self.grow(things, lease, reservation)
            neighbour = self.run(things, "neighbour", self.reservation(other))
            self.delete(lease)
            left = [server for server in servers if not self.is_gone(server)]
            self.count(not left and self.is_gone(one_more), "its end deletes its servers, those without a host, too",
                       left)
            self.count(not self.exists(reservation) and not self.is_gone(neighbour),
                       "nothing of it is left, and its neighbour's server runs on")
            self.delete(other)
            self.count(self.is_gone(neighbour), "until that one's end")

    def looks_right(self, reservation):
        flavor = openstack("flavor", "show", reservation)
        name = "CUSTOM_RESERVATION_" + reservation.upper().replace("-", "_")
        self.count((flavor["name"], flavor["vcpus"], flavor["ram"], flavor["disk"]) == (
            "reservation:" + reservation, 4, 8192, 40) and not flavor["os-flavor-access:is_public"]
            and flavor["access_project_ids"] == [self.holder.cloud.project]
            and flavor["properties"].get("resources:" + name) == "1", "the reservation is a private flavor", flavor)
        shown = openstack("aggregate", "show", reservation)
        project = self.holder.cloud.project
        self.count(shown["hosts"] == [HOSTS[0]] and not shown["availability_zone"] and shown["properties"] == {
            "reservation": reservation, "blazar:owner": project, "filter_tenant_id": project},
            "and an aggregate without a zone", shown)
        self.count(set(self.admin.freepool()["hosts"]) == set(HOSTS), "whose host stays in the freepool")
        provider = self.admin.cloud.get("placement", "/resource_providers?name=blazar_" + HOSTS[0])
        path = "/resource_providers/%s/inventories" % provider["resource_providers"][0]["uuid"]
        found = self.admin.cloud.get("placement", path)["inventories"]
        self.count({key: (each["total"], each["max_unit"]) for key, each in found.items()} == {name: (3, 1)},
                   "Placement knows its slots", found)

    def keeps_ordinary_servers_off(self, things, reservation):
        """Checks that ordinary servers stay off the host; administrators may choose it, so only the cloud refuses."""
        for project, who in ("demo", "its holder's"), ("other", "a stranger's"):
            user = User("admin", project)
            server = user.server(things, "ordinary-" + project, where=HOSTS[0], **zones.ANYWHERE)
            self.count(Isolation.await_host(user, server) is None, who + " ordinary server never lands on its host")
        user = User("admin", "other")
        server = user.server(things, "forced", flavor=reservation, **zones.ANYWHERE)
        self.count(Isolation.await_host(user, server) is None, "nor by its flavor, which an administrator may use")

    def grow(self, things, lease, reservation):
        body = {"reservations": [{"id": reservation, "amount": 4}]}
        self.ask("PUT", "/v1/leases/" + lease, body)
        server = self.run(things, "grown", reservation)
        self.count(self.admin.await_server(server, "ACTIVE") == HOSTS[0], "it grows while it runs")

    def lie_apart(self):
        lease = self.lease("apart", 3, affinity=False)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            servers = self.boot_each(things, "apart", self.reservation(lease))
            hosts = [self.admin.await_server(server, "ACTIVE") for server in servers]
            self.count(sorted(hosts) == sorted(HOSTS), "with anti-affinity each server is on another host", hosts)
            self.delete(lease)
        lease = self.lease("together", 3, affinity=True)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            servers = self.boot_each(things, "together", self.reservation(lease))
            hosts = {self.admin.await_server(server, "ACTIVE") for server in servers}
            self.count(len(hosts) == 1, "with affinity all of them are on one", hosts)
            self.delete(lease)

    def drift(self):
        """Checks drift: an administrator deletes the flavor of a lease, then its aggregate, too."""
        lease = self.lease("robbed", 1, which=HOSTS[0])
        self.await_status(lease, "active")
        reservation = self.reservation(lease)
        for what, remove in (("flavor", lambda: self.admin.remove("compute", "/flavors/" + reservation)),
                             ("aggregate", lambda: self.admin.remove_aggregate(self.admin.aggregate(reservation)["id"]))):
            remove()
            await_that(lambda: self.ask("GET", "/api/leases/" + lease)["degraded"],
                       "the lease says that it lacks its " + what)
            why = self.ask("GET", "/api/leases/" + lease)["explanation"]
            self.count("a part of the reservation was removed" in (why or ""), "and why", why)
            self.ask("POST", "/api/operations/leases/%s/retry" % lease, user="admin")
            await_that(lambda: not self.ask("GET", "/api/leases/" + lease)["degraded"], "a retry restores its " + what)
        with contextlib.ExitStack() as things:
            self.run(things, "restored", reservation)
            self.count(True, "its holder gets its slot")
            self.delete(lease)

    def follow_a_flavor(self):
        """Leases instances of a flavor, two of which fit on a host. At most six of both kinds fit on all three."""
        with contextlib.ExitStack() as things:
            source = self.flavor(things, "source", 32)
            self.admin.cloud.post("compute", "/flavors/%s/os-extra_specs" % source,
                                  {"extra_specs": {"quota:cpu_shares": "64"}})
            self.is_seen_by_its_projects_alone(things)
            lease = self.of_flavor("flavored", source, 5)
            sized = self.lease("sized", 1, vcpus=32)
            self.await_status(lease, "active")
            self.await_status(sized, "active")
            self.count(not any(self.is_accepted(source, amount) for amount in (1, 2)),
                       "instances of both kinds share the hosts, and no host is sold twice")
            reservation = self.reservation(lease)
            flavor = openstack("flavor", "show", reservation)
            self.count((flavor["vcpus"], flavor["ram"], flavor["disk"], flavor["OS-FLV-EXT-DATA:ephemeral"]) == (
                32, 1024, 2, 1) and flavor["properties"].get("quota:cpu_shares") == "64"
                and not flavor["os-flavor-access:is_public"], "its flavor is the source's in all but its users", flavor)
            hosts = [self.admin.await_server(self.run(things, "flavored-%d" % number, reservation), "ACTIVE")
                     for number in range(5)]
            hosts.append(self.admin.await_server(self.run(things, "sized", self.reservation(sized)), "ACTIVE"))
            self.count(all(hosts.count(host) == 2 for host in HOSTS), "all slots of both are there", hosts)
            one_more = self.boot(things, "flavored-too", reservation)
            self.count(Isolation.await_host(self.admin, one_more) is None, "and not one more of its flavor")
            self.delete(sized)
            self.admin.remove("compute", "/flavors/" + source)
            self.ask("PUT", "/v1/leases/" + lease, {"reservations": [{"id": reservation, "amount": 6}]})
            self.run(things, "flavored-again", reservation)
            self.count(True, "it grows though its source is deleted")
            self.delete(lease)
            self.count(not self.exists(reservation), "nothing of it is left")

    def follow_a_trait(self, resource):
        """Checks that the product notices that the second host gets a trait in Placement, and loses it again."""
        with contextlib.ExitStack() as things:
            source = self.flavor(things, "picky", 32)
            self.admin.cloud.post("compute", "/flavors/%s/os-extra_specs" % source,
                                  {"extra_specs": {"trait:" + TRAIT: "required"}})
            self.count(not self.is_accepted(source, 1), "a host of which nobody says so has no trait")
            self.give_trait(things, HOSTS[1])
            await_that(lambda: self.has_trait(resource), "the product knows of the trait")
            lease = self.of_flavor("picky", source, 2)
            self.await_status(lease, "active")
            self.count(not self.is_accepted(source, 1), "a flavor that requires a trait fits on hosts that have it alone")
            hosts = [self.admin.await_server(self.run(things, "picky-%d" % number, self.reservation(lease)), "ACTIVE")
                     for number in range(2)]
            self.count(set(hosts) == {HOSTS[1]}, "and so do its servers", hosts)
            self.delete(lease)
        await_that(lambda: not self.has_trait(resource), "the product knows that the trait is gone")

    def has_trait(self, resource):
        return TRAIT in self.ask("GET", "/api/resources/%s" % resource, user="admin")["attributes"]

    def give_trait(self, things, host):
        found = self.admin.cloud.get("placement", "/resource_providers?name=" + host)["resource_providers"]
        path = "/resource_providers/%s/traits" % found[0]["uuid"]
        self.admin.cloud.put("placement", "/traits/" + TRAIT)
        things.callback(self.admin.remove, "placement", "/traits/" + TRAIT)
        self.change_traits(path, lambda traits: traits | {TRAIT})
        things.callback(self.change_traits, path, lambda traits: traits - {TRAIT})

    def change_traits(self, path, change):
        now = self.admin.cloud.get("placement", path)
        self.admin.cloud.put("placement", path, {**now, "traits": sorted(change(set(now["traits"])))})

    def is_seen_by_its_projects_alone(self, things):
        private = self.flavor(things, "private", 1, **{"os-flavor-access:is_public": False})
        self.admin.cloud.post("compute", "/flavors/%s/action" % private,
                              {"addTenantAccess": {"tenant": self.stranger.cloud.project}})
        status, text = self.engine.call("demo", "POST", "/v1/leases", {
            "name": "private", "start_date": "now", "end_date": "2099-01-01 00:00", "reservations": [
                {"resource_type": "flavor:instance", "flavor_id": private, "amount": 1, "affinity": "None"}]})
        self.count(status == 404 and "Flavor %s could not be found." % private in text,
                   "a private flavor of another project is not found", text)
        wish = self.wish("flavor:instance", {"flavor_id": private, "amount": 1, "affinity": "none"}, "theirs", start=600)
        theirs = self.ask("POST", "/api/leases", wish, user="other")["id"]
        self.ask("DELETE", "/api/leases/" + theirs, user="other")
        self.count(True, "but by those that it is open to")

    def flavor(self, things, name, vcpus, **fields):
        return self.admin.make(things, "compute", "/flavors", "flavor", {
            "name": "e2e-" + name, "vcpus": vcpus, "ram": 1024, "disk": 2, "OS-FLV-EXT-DATA:ephemeral": 1, **fields})["id"]

    def of_flavor(self, name, flavor, amount):
        return self.lease_of("flavor:instance", {"flavor_id": flavor, "amount": amount, "affinity": "none"}, name)

    def is_accepted(self, flavor, amount):
        parameters = {"flavor_id": flavor, "amount": amount, "affinity": "none"}
        return self.ask("POST", "/api/leases/dry-run", self.wish("flavor:instance", parameters, "one-more"))["accepted"]

    def end_by_time(self):
        lease = self.lease("short", 2)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            server = self.run(things, "short", reservation)
            self.move(lease, end=8)
            self.await_status(lease, "ended")
            self.count(self.is_gone(server) and not self.exists(reservation), "its time is over, and nothing left")
        self.delete(lease)

    def die_in_a_start(self):
        lease = self.lease("interrupted", 3, affinity=False)
        reservation = self.reservation(lease)
        catch(lambda: self.admin.aggregate(reservation), "the start has begun")
        self.engine.kill()
        self.count(self.refused(self.holder, reservation),
                   "the product is killed in the middle of a start, and its holder gets no server")
        self.engine.start()
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            servers = self.boot_each(things, "late", reservation)
            hosts = [self.admin.await_server(server, "ACTIVE") for server in servers]
            self.count(sorted(hosts) == sorted(HOSTS), "the next start goes on, and all slots are there", hosts)
            self.delete(lease)

    def die_in_an_end(self):
        lease = self.lease("cut-short", 3, affinity=False)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            servers = self.boot_each(things, "busy", reservation)
            self.ask("DELETE", "/api/leases/" + lease)
            catch(lambda: self.refused(self.holder, reservation), "the end has begun")
            self.engine.kill()
            self.count(self.exists(reservation), "the product is killed in the middle of an end")
            self.engine.start()
            self.await_status(lease, 404)
            left = [server for server in servers if not self.is_gone(server)]
            self.count(not left and not self.exists(reservation), "the next start ends it, with all servers", left)

    def lease(self, name, amount, which="", affinity="none", vcpus=4, **times):
        parameters = {"vcpus": vcpus, "memory_mb": 8192, "disk_gb": 40, "amount": amount, "affinity": affinity,
                      "resource_properties": '["==", "$hypervisor_hostname", "%s"]' % which if which else ""}
        return self.lease_of("virtual:instance", parameters, name, **times)

    def boot(self, things, name, reservation):
        return self.holder.server(things, name, flavor=reservation, **zones.ANYWHERE)

    def boot_each(self, things, name, reservation):
        """Boots three servers, one after the other: if several request the last slots at once, Nova may refuse one."""
        return [self.run(things, "%s-%d" % (name, number), reservation) for number in range(3)]

    def run(self, things, name, reservation):
        """Boots a server, with retries: Nova's scheduler learns of aggregates a moment later."""
        def running():
            server = self.boot(things, name, reservation)
            return Isolation.await_host(self.admin, server) and server
        return await_that(running, "a server of %s has got a host" % reservation)

    def refused(self, user, reservation):
        """Returns true if the flavor does not exist for the user."""
        with contextlib.ExitStack() as things:
            try:
                user.server(things, "refused", flavor=reservation)
            except Refused as refused:
                return refused.status in (400, 404)
            return False


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("instances") as trial:
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), settings={
            **settings(), "leasehold.saga.watching": "3s"})
        for choices, usual in modes():
            with lifecycle.mode(choices):
                Instances(trial, engine, choices, usual).live()


if __name__ == "__main__":
    main()
