"""Leases the testbed's hosts as Keystone's users, with the command line and the library below it.

Both are unmodified, and find the product in Keystone's catalog. They are Debian's; the command line is also the newest
of the Python package index. In the check, the two command lines take turns.
"""

import contextlib
import json
import logging
import os
import sys

from blazarclient import client as blazarclient
from blazarclient import exception
from keystoneauth1 import session
from keystoneauth1.identity import v3

from e2e.life import HostLife, trusts_of
from e2e.keystone import PORT, SETTINGS, CommandLine, People, Product, minutes
from harness import share
from harness.python_tools import PythonTools
from harness.trial import Trial
from testbed import place, processes, zones
from testbed.rest import IDENTITY, Cloud
from testbed.services import Choices
from testbed.users import User, await_that

HOST = "compute-007"
E2E = os.path.dirname(os.path.abspath(__file__))
NEWEST = PythonTools(os.path.join(os.path.dirname(E2E), "target", "clients"), os.path.join(E2E, "requirements.txt"))
NAME = "clients-%d" % os.getpid()
WISH = {"resource_type": "physical:host", "min": 1, "max": 1, "hypervisor_properties": "",
        "resource_properties": '["==", "$gpu", "V100"]'}


def uses_newest():
    return share.has(1, 2)


def library(user):
    login = v3.Password(auth_url=IDENTITY, username=user, password=place.PASSWORD, project_name=user,
                        user_domain_id="default", project_domain_id="default")
    return blazarclient.Client(session=session.Session(auth=login))


class Clients(HostLife):

    def __init__(self, trial, engine):
        super().__init__(trial, engine, Choices.recorded())
        self.people = People()

    def lives(self):
        self.engine.start()
        if share.has(0, 2):
            self.command_line()
        if uses_newest():
            NEWEST.install()
            self.command_line(NEWEST.program("openstack"))
        for way in (self.library, self.leaver, self.trusting):
            with contextlib.ExitStack() as things:
                way(things)
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.admin.freepool()["id"])

    def command_line(self, program=None):
        with contextlib.ExitStack() as things:
            self.use_command_line(things, CommandLine("demo", program), CommandLine("admin", program))

    def use_command_line(self, things, demo, admin):
        enrolled = admin.json("host", "create", HOST, "--extra", "gpu=V100")
        self.count(enrolled["hypervisor_hostname"] == HOST and int(enrolled["vcpus"]) > 0,
                   "command line: an administrator enrols a host of the cloud", enrolled)
        await_that(lambda: HOST in self.admin.freepool()["hosts"], "it is in the freepool")
        admin.done("host", "set", HOST, "--extra", "rack=r1")
        admin.done("host", "property", "set", "rack", "--private")
        self.count(admin.json("host", "show", HOST)["rack"] == "r1"
                   and [each["hypervisor_hostname"] for each in admin.json("host", "list")] == [HOST]
                   and admin.json("host", "property", "show", "gpu")["property"] == "gpu"
                   and [each["property"] for each in admin.json("host", "property", "list")] == ["gpu"],
                   "command line: they say more of it, and hide that")
        made = demo.json("lease", "create", NAME, "--end-date", minutes(60), "--reservation",
                         'resource_type=physical:host,min=1,max=1,resource_properties=["==", "$gpu", "V100"]')
        # The library polls: each call of the command line takes more than a second of CPU.
        waiting = library("demo")
        reservation = self.await_active(lambda: waiting.lease.get(made["id"]), made["id"])
        self.count(demo.json("lease", "show", NAME, "-c", "status", "-c", "reservations")["status"] == "ACTIVE",
                   "command line: the lease is active")
        server = self.boot(things, reservation)
        self.count(self.admin.await_server(server, "ACTIVE") == HOST, "command line: its member's server runs on it")
        demo.done("lease", "set", NAME, "--prolong-for", "30m")
        self.count(demo.json("lease", "show", NAME)["end_date"] > made["end_date"], "command line: they prolong it")
        self.count("reserved" in admin.refused("host", "delete", HOST), "command line: the host is theirs until then")
        demo.done("lease", "delete", NAME)
        self.await_end(waiting.lease.list, reservation, server)
        self.count(demo.json("lease", "list") == [], "command line: the lease is gone")
        admin.done("host", "delete", HOST)
        await_that(lambda: not self.admin.freepool()["hosts"], "it has left the freepool")
        self.count(admin.json("host", "list") == [], "command line: the host is retired")

    def library(self, things):
        demo, other, admin = (library(name) for name in ("demo", "other", "admin"))
        host = admin.host.create(HOST, gpu="V100")
        await_that(lambda: HOST in self.admin.freepool()["hosts"], "it is in the freepool")
        admin.host.update(host["id"], {"rack": "r1"})
        admin.host.set_property("rack", True)
        self.count(admin.host.get(host["id"])["rack"] == "r1" and [each["id"] for each in admin.host.list()] == [host["id"]]
                   and "V100" in admin.host.get_property("gpu")["property_values"]
                   and [each["property"] for each in admin.host.list_properties()] == ["gpu"],
                   "library: an administrator enrols a host of the cloud and says more of it")
        made = demo.lease.create(NAME, "now", minutes(60), [dict(WISH)], [])
        reservation = self.await_active(lambda: demo.lease.get(made["id"]), made["id"])
        server = self.boot(things, reservation)
        self.count(self.admin.await_server(server, "ACTIVE") == HOST, "library: its member's server runs on it")
        later = demo.lease.update(made["id"], prolong_for="1d")
        self.count(later["end_date"] > made["end_date"] and demo.lease.update(made["id"], name="renamed")["name"] == "renamed",
                   "library: they prolong and rename it")
        with self.refused("not found", "library: for another project there is no such lease"):
            other.lease.get(made["id"])
        with self.refused("Not enough hosts available", "library: nobody else gets its host"):
            other.lease.create(NAME, minutes(10), minutes(20), [dict(WISH)], [])
        with self.refused("Policy doesn't allow", "library: a member enrols no hosts"):
            demo.host.list()
        demo.lease.delete(made["id"])
        self.await_end(demo.lease.list, reservation, server)
        admin.host.delete(host["id"])
        await_that(lambda: not self.admin.freepool()["hosts"], "it has left the freepool")
        self.count(admin.host.list() == [], "library: the host is retired")

    def leaver(self, things):
        """Checks that a lease ends correctly after the user who made it has been removed."""
        project, user = self.people.member(things, NAME)
        admin = library("admin")
        host = admin.host.create(HOST, gpu="V100")
        made = library(NAME).lease.create(NAME, "now", minutes(2), [dict(WISH)], [])
        reservation = self.await_active(lambda: admin.lease.get(made["id"]), made["id"])
        owner = self.admin.aggregate(reservation)["metadata"]["blazar:owner"]
        self.people.disable(user)
        things.callback(admin.lease.delete, made["id"])
        # The end is at most two full minutes away, and takes some time itself.
        await_that(lambda: admin.lease.get(made["id"])["status"] == "TERMINATED", "the lease has ended", patience=180)
        self.count(owner == project and not self.admin.aggregate(reservation) and self.admin.freepool()["hosts"] == [HOST],
                   "the end comes on time although its user is disabled", self.admin.freepool())
        things.close()
        admin.host.delete(host["id"])
        await_that(lambda: not self.admin.freepool()["hosts"], "it has left the freepool")

    def trusting(self, things):
        """Checks that the engine creates a user's resources as that user, for the duration of the lease."""
        demo, admin, user, engine = library("demo"), library("admin"), User("demo"), User("leasehold", "service")
        host = admin.host.create(HOST)
        await_that(lambda: HOST in self.admin.freepool()["hosts"], "it is in the freepool")
        wish = {"resource_type": "virtual:instance", "vcpus": 1, "memory_mb": 512, "disk_gb": 1, "amount": 2,
                "affinity": True, "resource_properties": ""}

        with self.refused("Not enough hosts available", "a lease that is refused ..."):
            demo.lease.create(NAME, "now", minutes(60), [dict(wish, vcpus=10000)], [])
        self.count(trusts_of(engine) == [], "... is not worth a trust")
        made = demo.lease.create(NAME, "now", minutes(60), [wish], [])
        reservation = self.await_active(lambda: demo.lease.get(made["id"]), made["id"])
        given = trusts_of(engine)
        self.count([(each["trustor_user_id"], each["project_id"]) for each in given] == [
            (user.cloud.user, user.cloud.project)], "a lease of instances with affinity has a trust", given)
        self.count(self.orphans() == [], "which its lease knows")
        shown = demo.lease.get(made["id"])["reservations"][0]
        group = user.cloud.get("compute", "/os-server-groups/%s" % shown["server_group_id"])["server_group"]
        self.count((group["name"], group["policy"], group["user_id"]) == (
            "reservation:" + reservation, "affinity", user.cloud.user), "its server group is theirs", group)
        self.count(str(self.admin.aggregate(reservation)["id"]) == str(shown["aggregate_id"]), "the response has its aggregate")
        server = user.server(things, NAME, flavor=reservation, hints={"group": group["id"]}, **zones.ANYWHERE)
        self.count(self.admin.await_server(server, "ACTIVE") == HOST, "a server in the group gets a slot")
        user.cloud.delete("identity", "/OS-TRUST/trusts/" + given[0]["id"])
        demo.lease.delete(made["id"])
        await_that(lambda: demo.lease.list() == [], "the lease is gone")
        self.count(self.is_gone(server) and not user.cloud.exists("compute", "/os-server-groups/" + group["id"]),
                   "its end needs no trust any more, and leaves no group")
        self.orphan(user, engine)
        later = demo.lease.create(NAME, minutes(30), minutes(60), [wish], [])
        await_that(lambda: trusts_of(engine), "a lease of later has its trust now")
        demo.lease.delete(later["id"])
        await_that(lambda: not trusts_of(engine), "the trust is gone with its lease", patience=120)
        self.count(not self.admin.aggregate(later["id"]), "a trust goes with its lease")
        admin.host.delete(host["id"])
        await_that(lambda: not self.admin.freepool()["hosts"], "it has left the freepool")

    def orphan(self, user, engine):
        """Checks that a trust without a lease is found, as if the product had ended before it stored the trust."""
        given = user.cloud.post("identity", "/OS-TRUST/trusts", {"trust": {
            "trustor_user_id": user.cloud.user, "trustee_user_id": engine.cloud.user,
            "project_id": user.cloud.project, "impersonation": True, "roles": [{"name": "member"}]}})["trust"]["id"]
        found = self.orphans()
        self.count(found == [{"trust_id": given, "user_id": user.cloud.user, "project_id": user.cloud.project}],
                   "a trust that no lease has is named", found)
        user.cloud.delete("identity", "/OS-TRUST/trusts/" + given)
        self.count(self.orphans() == [], "until it is deleted")

    def orphans(self):
        return json.loads(self.engine.ask(Cloud("admin").token, "GET", "/api/operations/drift")[2])["orphans"]

    def await_active(self, shown, lease):
        await_that(lambda: shown()["status"] == "ACTIVE", "the lease is active")
        return self.engine.sql("SELECT reservation_id FROM claim WHERE lease_id = '%s'" % lease)[0]["reservation_id"]

    def await_end(self, leases, reservation, server):
        await_that(lambda: leases() == [], "the lease is gone")
        self.count_back([HOST], reservation)
        self.count(self.is_gone(server), "and its server is gone")

    def boot(self, things, reservation):
        return User("demo").server(things, NAME, **self.isolation.identity(reservation))

    @contextlib.contextmanager
    def refused(self, why, what):
        try:
            yield
            self.count(False, what)
        except exception.BlazarClientException as refused:  # The client shows every refusal as a 500.
            self.count(why in str(refused), what, refused)


def main():
    if sys.argv[1:] == ["--install"]:
        if uses_newest():
            NEWEST.install()
        return
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    logging.disable()
    with Trial("clients") as trial:
        settings = {**SETTINGS, "leasehold.openstack.auth-url": IDENTITY}
        Clients(trial, trial.engine("engine", PORT, 0, make=Product, settings=settings)).live()


if __name__ == "__main__":
    main()
