"""Whole lives of leases of hosts, on the testbed's Nova, looked at as its users and operators look at it."""

import contextlib
import dataclasses
import sys

from e2e.life import Life, openstack, settings
from harness.leases import status
from harness.trial import Trial
from testbed import lifecycle, processes
from testbed.isolation import Isolation, NOBODY
from testbed.rest import Refused
from testbed.services import Choices
from testbed.users import await_that

PORT = 32100

# The last host has a process of its own, and dies alone.
ENROLLED = ("compute-001", "compute-002", "compute-003", "compute-004")
MORTAL, ITS_PROCESS = "compute-008", "nova-compute-2"


class Hosts(Life):
    """One life after the other."""

    def __init__(self, trial, engine, choices):
        super().__init__(trial, engine, choices)
        self.isolation = Isolation(trial, choices, ENROLLED[:3])

    def live(self):
        before = self.everything()
        try:
            self.lives()
            self.engine.stop()
            after = self.everything()
            self.count(after == before, "nothing is left in the cloud", dict(set(after.items()) ^ set(before.items())))
        finally:
            self.engine.stop()
            self.tidy(before)

    def lives(self):
        self.engine.settings["leasehold.plugins.openstack-hosts.isolation"] = (
            "filter" if self.choices.filter else "tenancy")
        self.engine.start()
        enrolled = [self.enrol(name) for name in (*ENROLLED, MORTAL)]
        self.use()
        self.end_by_time()
        self.die_in_a_start()
        self.die_in_an_end()
        self.lose_a_host()
        self.retire(enrolled)

    def use(self):
        """From before its start to its deletion."""
        lease = self.lease("mine", ENROLLED[1], start=15)
        reservation = self.reservation(lease)
        other = self.lease("another", ENROLLED[2])
        self.await_status(other, "active")
        self.count(status(self.engine, lease) == "inactive" and not self.gets_on(ENROLLED[1], reservation),
                   "before the start its holder gets no host")
        self.await_status(lease, "active")
        shown = openstack("aggregate", "show", reservation)
        project = self.holder.cloud.project
        owner = {"blazar:owner": project, **({} if self.choices.filter else {"filter_tenant_id": project})}
        self.count(shown["hosts"] == [ENROLLED[1]] and shown["availability_zone"] == "blazar_" + reservation
                   and shown["properties"] == owner, "the reservation is an aggregate, with zone and owner", shown)
        pool = openstack("aggregate", "show", "freepool")
        self.count(sorted(pool["hosts"]) == [ENROLLED[0], ENROLLED[3], MORTAL] and not pool["availability_zone"]
                   and pool["properties"] == ({} if self.choices.filter else {
                       "filter_tenant_id": NOBODY, "trait:CUSTOM_RESERVABLE": "required"}),
                   "the freepool has the others", pool)
        self.isolation.names = [reservation, self.reservation(other)]
        self.isolation.servers()
        with contextlib.ExitStack() as things:
            server = self.boot(things, "mine", reservation)
            self.count(self.admin.await_server(server, "ACTIVE") == ENROLLED[1], "its holder's server runs on it")
            self.delete(lease)
            self.count(self.is_gone(server), "its end deletes the server")
        self.count_back([ENROLLED[1]], reservation)
        self.delete(other)

    def end_by_time(self):
        lease = self.lease("short", ENROLLED[0], length=40, before_end=22)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            server = self.boot(things, "precious", reservation)
            self.admin.await_server(server, "ACTIVE")
            self.await_status(lease, "ended")
            self.count(self.is_gone(server), "its time is over, and the server gone")
            images = self.admin.cloud.get("image", "/v2/images?leasehold_server=" + server)["images"]
            for image in images:
                things.callback(self.admin.remove, "image", "/v2/images/" + image["id"])
            self.count([(image["name"], image["status"]) for image in images] == [("reserved_precious", "active")],
                       "one image was made of it", images)
            shared = self.holder.cloud.get("image", "/v2/images/" + images[0]["id"])
            self.count(shared["name"] == "reserved_precious", "its project can use the image")
        self.count_back([ENROLLED[0]], reservation)
        self.delete(lease)

    def die_in_a_start(self):
        lease = self.lease("interrupted", *ENROLLED)
        reservation = self.reservation(lease)
        await_that(lambda: self.aggregate(reservation), "the start has begun")
        self.engine.kill()
        there = self.aggregate(reservation)
        self.count(len(there["hosts"]) < len(ENROLLED) or there["metadata"].get("blazar:owner") == NOBODY,
                   "the product is killed in the middle of a start, the reservation not open", there)
        self.engine.start()
        self.await_status(lease, "active")
        there = self.aggregate(reservation)
        self.count(sorted(there["hosts"]) == list(ENROLLED) and self.freepool()["hosts"] == [MORTAL]
                   and there["metadata"]["blazar:owner"] == self.holder.cloud.project,
                   "the next start goes on, and the lease gets all of its hosts", there)
        self.delete(lease)
        self.count_back(ENROLLED, reservation)

    def die_in_an_end(self):
        lease = self.lease("cut-short", *ENROLLED)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            servers = [self.boot(things, "busy-%d" % number, reservation) for number in range(4)]
            for server in servers:
                self.admin.await_server(server, "ACTIVE")
            self.ask("DELETE", "/api/leases/" + lease)
            await_that(lambda: self.aggregate(reservation)["metadata"]["blazar:owner"] == NOBODY, "the end has begun")
            self.engine.kill()
            self.count(self.aggregate(reservation), "the product is killed in the middle of an end")
            self.engine.start()
            self.await_status(lease, 404)
            left = [server for server in servers if not self.is_gone(server)]
            self.count(not left, "the next start ends it, with all servers", left)
        self.count_back(ENROLLED, reservation)

    def lose_a_host(self):
        lease = self.lease("ill-fated", MORTAL)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            server = self.boot(things, "doomed", reservation)
            self.admin.await_server(server, "ACTIVE")
            with self.compute_service_dead():
                self.delete(lease, patience=180)
                self.count(self.is_gone(server), "a host that has died is taken back, its server deleted")
                self.count_back([MORTAL], reservation)
                await_that(lambda: self.state(MORTAL) == "down", "Nova knows that the host is down")
                lease = self.lease("premature", MORTAL)
                self.await_status(lease, "error")
                self.count(True, "a host that is down is not given")
        self.ask("POST", "/api/operations/leases/%s/retry" % lease, user="admin")
        self.await_status(lease, "active")
        self.count(self.aggregate(self.reservation(lease))["hosts"] == [MORTAL],
                   "when it is back, another try succeeds")
        self.delete(lease)

    @contextlib.contextmanager
    def compute_service_dead(self):
        with lifecycle.alone():
            lifecycle.stop([ITS_PROCESS], kill=True)
        try:
            yield
        finally:
            with lifecycle.alone():
                lifecycle.start(self.choices, [ITS_PROCESS])
            await_that(lambda: self.state(MORTAL) == "up", "Nova knows that the host is up")

    def lease(self, name, *hosts, before_end=None, **times):
        filters = [["==", "$hypervisor_hostname", host] for host in hosts]
        parameters = {"min": len(hosts), "max": len(hosts), "resource_properties": "",
                      "hypervisor_properties": filters[0] if len(hosts) == 1 else ["or", *filters],
                      "before_end": "snapshot" if before_end else "default"}
        return self.lease_of("physical:host", parameters, name, before_end=before_end, **times)

    def count_back(self, hosts, reservation):
        self.count(set(hosts) <= set(self.freepool()["hosts"]) and not self.aggregate(reservation),
                   "%s back in the freepool, and there is no aggregate" % (
                       hosts[0] + " is" if len(hosts) == 1 else "all hosts are"), self.freepool())

    def state(self, host):
        return next(each["state"] for each in self.admin.cloud.get("compute", "/os-hypervisors/detail")["hypervisors"]
                    if each["hypervisor_hostname"] == host)

    def boot(self, things, name, reservation):
        return self.holder.server(things, name, **self.isolation.identity(reservation))

    def gets_on(self, host, reservation):
        """Whether the holder does; an administrator may choose the host, so that the filters alone refuse it."""
        holder = self.isolation.holder
        with contextlib.ExitStack() as things:
            try:
                server = holder.server(things, "early", where=host, **self.isolation.identity(reservation))
            except Refused as refused:  # There is no such zone yet.
                if refused.status != 400:
                    raise
                return False
            return self.isolation.await_host(holder, server) is not None

    def tidy(self, before):
        """After a failure: the next life is to begin as this one did."""
        for kind, one in set(self.everything()) - set(before):
            if kind == "aggregates":
                self.remove_aggregate(one)
            elif kind == "servers":
                self.admin.remove("compute", "/servers/" + one)
            else:
                self.admin.remove("image", "/v2/images/" + one)

    def everything(self):
        """That leases could leave behind."""
        questions = {"servers": "/servers?all_tenants=1", "aggregates": "/os-aggregates"}
        found = {(what, str(each["id"])): each["name"] for what, path in questions.items()
                 for each in self.admin.cloud.get("compute", path)[what]}
        for image in self.admin.cloud.get("image", "/v2/images")["images"]:
            found["images", image["id"]] = image["name"]
        return found


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    usual = Choices.recorded()
    with Trial("hosts") as trial:
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), settings=settings())
        for choices in (usual, dataclasses.replace(usual, filter=not usual.filter)):
            with lifecycle.mode(choices):
                Hosts(trial, engine, choices).live()
    sys.exit(1 if trial.failed else 0)


if __name__ == "__main__":
    main()
