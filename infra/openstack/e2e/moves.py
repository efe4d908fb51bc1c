"""Scenarios of leases whose host dies: they get another host, and their servers move there."""

import contextlib
import sys

from e2e.hosts import MORTAL, PORT, Hosts
from e2e.life import modes, settings
from harness.trial import Trial
from testbed import lifecycle, processes, zones
from testbed.isolation import Isolation
from testbed.users import await_that

SPARE = "compute-001"

# How long a host is down before the engine replaces it.
REPLACE_AFTER = {"leasehold.saga.replace-failed-after": "3s"}


class Moves(Hosts):
    """The scenarios of a dead compute service, one after the other."""

    kinds = ("servers", "flavors", "resource classes", "aggregates")

    def lives(self):
        self.engine.start()
        self.leave_a_dead_host("physical:host", {
            "min": 1, "max": 1, "hypervisor_properties": "", "resource_properties": "", "before_end": "default"})
        self.leave_a_dead_host("virtual:instance", {
            "vcpus": 1, "memory_mb": 512, "disk_gb": 1, "amount": 2, "affinity": "none", "resource_properties": ""})

    def leave_a_dead_host(self, kind, parameters):
        """Kills the only leasable host of a lease after the lease has started; a spare one is enrolled meanwhile."""
        enrolled = [self.enrol(MORTAL)]
        lease = self.lease_of(kind, parameters, "moving")
        self.await_status(lease, "active")
        reservation = self.reservation(lease)
        enrolled.append(self.enrol(SPARE))
        with contextlib.ExitStack() as things:
            servers = [self.run(things, "moving-%d" % number, kind, reservation) for number in range(2)]
            self.count({self.host(server) for server in servers} == {MORTAL}, kind + ": its servers run on one host")
            with self.compute_service_dead():
                await_that(lambda: all(self.runs_on(server, SPARE) for server in servers),
                           "all servers of the dead host run on the other one")
                await_that(lambda: self.allocated(lease) == [SPARE], "the lease has the other host")
                self.count(True, kind + ": the servers of a dead host run on another one, with their ids")
            self.count(all(self.runs_on(server, SPARE) for server in servers),
                       kind + ": they stay there when the dead host is back")
            await_that(lambda: MORTAL in self.admin.freepool()["hosts"], "the dead host is in the freepool")
            found = self.ask("GET", "/api/operations/drift", user="admin")
            self.count(not any(found.values()), kind + ": the cloud is as it should be", found)
            self.delete(lease)
            self.count(all(self.is_gone(server) for server in servers) and not self.exists(reservation),
                       kind + ": its end deletes them on the other host")
        self.retire(enrolled)

    def run(self, things, name, kind, reservation):
        """Boots a server, with retries: Nova's scheduler learns of aggregates a moment later."""
        identity = {"flavor": reservation, **zones.ANYWHERE} if kind == "virtual:instance" else (
            self.isolation.identity(reservation))

        def running():
            server = self.holder.server(things, name, **identity)
            return Isolation.await_host(self.admin, server) and server
        return await_that(running, "a server of %s has got a host" % reservation)

    def allocated(self, lease):
        found = self.ask("GET", "/api/leases/" + lease)["reservations"][0]
        return [each["name"] for each in found["allocations"]]

    def host(self, server):
        return self.admin.cloud.get("compute", "/servers/" + server)["server"]["OS-EXT-SRV-ATTR:host"]

    def runs_on(self, server, host):
        found = self.admin.cloud.get("compute", "/servers/" + server)["server"]
        return (found["OS-EXT-SRV-ATTR:host"], found["status"], found["OS-EXT-STS:task_state"]) == (
            host, "ACTIVE", None)


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("moves") as trial:
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), settings={
            **settings(), "leasehold.saga.watching": "3s", **REPLACE_AFTER})
        for choices, usual in modes():
            with lifecycle.mode(choices):
                Moves(trial, engine, choices, usual).live()


if __name__ == "__main__":
    main()
