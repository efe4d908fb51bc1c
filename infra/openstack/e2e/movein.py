"""Checks the migration from a Blazar that runs on the same cloud, and the way back to it."""

import contextlib
import dataclasses
import json
import os
import subprocess
import sys

from e2e.blazar import DATABASE, URL, Blazar, minute, stamp
from e2e.instances import HOSTS, Instances
from e2e.keystone import SETTINGS
from e2e.life import Trusted, command, isolating, openstack
from harness.engine import ROOT
from harness.trial import Trial
from testbed import database, lifecycle, place, processes, release
from testbed.isolation import Isolation
from testbed.rest import IDENTITY
from testbed.services import Choices
from testbed.users import await_that

PORT = 32240

WHOLE, SLOTTED, WANTED = HOSTS
FLAVORED = "compute-004"
ALL_HOSTS = (*HOSTS, FLAVORED)
ADDRESS = "172.24.4.240"

# Leases run for hours, until their users change the times just before the migration.
HOUR = 3600
# Seconds from then to the start of pending leases, and to the ends. The engine runs before the first.
START, END, LATE_END = 120, 180, 240
# Blazar looks for due events each ten seconds, and starts one lease after the other.
PATIENCE = 300

HOST = {"resource_type": "physical:host", "min": 1, "max": 1, "resource_properties": ""}
SLOTS = {"resource_type": "virtual:instance", "vcpus": 4, "memory_mb": 8192, "disk_gb": 40, "amount": 2, "affinity": None}
FLAVOR = {"resource_type": "flavor:instance", "flavor_id": "2", "amount": 2, "affinity": None}

# Blazar cannot change a lease of a flavor: it ends by its deletion.
TIMED = ("whole", "slots", "address")
RUNNING = ("flavor", *TIMED)
PENDING = ("next", "more")


def documented_command(heading):
    """Returns the first code block below a heading of the operators' page."""
    with open(os.path.join(ROOT, "infra", "docs", "operations.md"), encoding="utf-8") as page:
        section = page.read().split("\n%s\n" % heading)[1]
    return section.split("```\n")[1]


def on(host):
    return '["==", "$hypervisor_hostname", "%s"]' % host


class MovingIn(Instances):
    """The scenario: a Blazar with leases of all its kinds, the engine in its place, and a Blazar again."""

    def __init__(self, trial, engine, rehearsal, choices):
        super().__init__(trial, engine, choices)
        self.rehearsal = rehearsal
        rehearsal.settings.update(isolating(choices))
        self.blazar = Blazar(choices)
        self.public = self.admin.cloud.get("network", "/v2.0/networks?name=public")["networks"][0]["id"]

    def lives(self):
        with contextlib.ExitStack() as things:
            things.callback(self.blazar.stop)
            self.blazar.renew(self.admin)
            self.switch(things, URL)
            numbers, leases = self.fill_blazar()
            reservations = {name: lease["reservations"][0]["id"] for name, lease in leases.items()}
            leases = {name: lease["id"] for name, lease in leases.items()}
            servers = {"whole": self.runs(things, "theirs", **self.named(reservations["whole"])),
                       **{name: self.runs(things, name, flavor=reservations[name]) for name in ("slots", "flavor")}}
            self.count([self.host_of(each) for each in servers.values()] == [WHOLE, SLOTTED, FLAVORED],
                       "Blazar's leases have servers")
            self.rehearse(leases)
            before = self.seen_by_clients()
            self.blazar.stop()
            self.import_all(leases)
            self.switch(things, self.engine.url + "/v1")
            self.count(self.seen_by_clients() == before, "Blazar's command line lists the same leases and hosts",
                       (before, self.seen_by_clients()))
            self.go_on(things, numbers, leases, reservations, servers)
            self.start_and_end(things, leases, reservations, servers)
            self.retire(numbers.values())
            self.remove_providers()
            self.engine.stop()
            self.return_to_blazar(things)

    def switch(self, things, url):
        """Points the catalog's reservation service at an address; restores it at the end."""
        service = self.admin.cloud.get("identity", "/services?type=reservation")["services"][0]["id"]
        for endpoint in self.admin.cloud.get("identity", "/endpoints?service_id=" + service)["endpoints"]:
            path = "/endpoints/" + endpoint["id"]
            things.callback(self.admin.cloud.call, "identity", "PATCH", path, {"endpoint": {"url": endpoint["url"]}})
            self.admin.cloud.call("identity", "PATCH", path, {"endpoint": {"url": url}})

    def fill_blazar(self):
        """Enrols hosts and an address in Blazar, and creates leases of all kinds: four that start now, two for later.

        Returns the numbers of the hosts and the leases, by their names.
        """
        self.admin.cloud.post("compute", "/os-aggregates", {"aggregate": {"name": "freepool"}})
        numbers = {FLAVORED: self.blazar.enrol(self.admin, FLAVORED)["id"]}
        # Blazar refuses a lease of a flavor as long as it has any of the other kind of instances.
        leases = {"flavor": self.reserve("flavor", FLAVOR)}
        numbers |= {name: self.blazar.enrol(self.admin, name)["id"] for name in HOSTS}
        self.blazar.call(self.admin, "POST", "/floatingips", {
            "floating_network_id": self.public, "floating_ip_address": ADDRESS})
        wanted = {
            "whole": {**HOST, "hypervisor_properties": on(WHOLE)},
            "slots": {**SLOTS, "resource_properties": on(SLOTTED)},
            "address": {"resource_type": "virtual:floatingip", "network_id": self.public, "amount": 1},
            "next": {**HOST, "hypervisor_properties": on(WANTED)},
            "more": {**SLOTS, "resource_properties": on(SLOTTED)}}
        leases |= {name: self.reserve(name, reservation) for name, reservation in wanted.items()}
        for name in RUNNING:
            await_that(lambda lease=leases[name]["id"]: self.blazar.status(self.holder, lease) == "ACTIVE",
                       "Blazar has started " + name, patience=PATIENCE)
        return {name: str(number) for name, number in numbers.items()}, leases

    def reserve(self, name, reservation):
        start = "now" if name in RUNNING else stamp(minute(2 * HOUR))
        return self.blazar.lease(self.holder, name, stamp(minute(3 * HOUR)), start, **reservation)

    def rehearse(self, leases):
        """Imports into another database. Then Blazar goes on: the engine has changed nothing in the cloud."""
        self.create_tables(self.rehearsal)
        answer, output = self.move_in(self.rehearsal)
        self.count(answer == 0 and "Nothing was done" in output, "a dry run beside Blazar finds no obstacle", output)
        self.blazar.stop()
        answer, output = self.move_in(self.rehearsal, "--import")
        self.count(answer == 0 and "Everything has come." in output, "a rehearsal imports everything", output)
        self.blazar.start()
        for name in PENDING:
            self.change(leases[name], start_date=START, end_date=LATE_END)
        for name in TIMED:
            self.change(leases[name], end_date=END)
        shown = {name: self.blazar.status(self.holder, lease) for name, lease in leases.items()}
        self.count(shown == dict.fromkeys(RUNNING, "ACTIVE") | dict.fromkeys(PENDING, "PENDING"),
                   "Blazar goes on after the rehearsal", shown)

    def change(self, lease, **times):
        self.blazar.call(self.holder, "PUT", "/leases/" + lease, {
            name: stamp(minute(seconds)) for name, seconds in times.items()})

    @staticmethod
    def create_tables(engine):
        engine.start()
        engine.stop()

    def import_all(self, leases):
        """Imports everything, twice, and starts the engine."""
        self.create_tables(self.engine)
        answer, output = self.move_in(self.engine, "--import")
        self.count(answer == 0 and "Everything has come." in output, "everything comes", output)
        answer, output = self.move_in(self.engine, "--import")
        self.count(answer == 0 and "%d of these leases are here already." % len(leases) in output, "once", output)
        answer, output = self.command(self.engine, "verify")
        self.count(answer == 0 and ": 0 differences" in output, "and is whole", output)
        self.engine.start()

    def move_in(self, engine, *more):
        source = {"url": "jdbc:mariadb://%s:3306/%s" % (place.LOOPBACK, DATABASE), "user": database.USER,
                  "configuration": place.configuration("blazar.conf")}
        return self.command(engine, "move-in", *("--leasehold.moving.%s=%s" % each for each in source.items()), *more)

    @staticmethod
    def command(engine, name, *more):
        """Runs an operator's command: starts the engine's program with the command's name as its first word."""
        words = engine.command(name, *("--%s=%s" % each for each in engine.settings.items()), *more)
        done = subprocess.run(words, cwd=engine.folder, text=True, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, LEASEHOLD_MOVING_PASSWORD=place.PASSWORD))
        return done.returncode, done.stdout

    def seen_by_clients(self):
        """Returns the leases and hosts that Blazar's command line lists, from the address in the catalog."""
        leases = json.loads(command("demo", "reservation", "lease", "list", "-f", "json"))
        hosts = openstack("reservation", "host", "list")
        return (sorted((each["id"], each["name"], each["start_date"], each["end_date"]) for each in leases),
                sorted((str(each["id"]), each["hypervisor_hostname"]) for each in hosts))

    def go_on(self, things, numbers, leases, reservations, servers):
        """Checks that the migration has changed no lease, host number or server."""
        shown = {name: self.ask("GET", "/v1/leases/" + lease)["lease"]["status"] for name, lease in leases.items()}
        self.count(shown == dict.fromkeys(RUNNING, "ACTIVE") | dict.fromkeys(PENDING, "PENDING"),
                   "the leases are as they were", shown)
        hosts = {each["hypervisor_hostname"]: str(each["id"])
                 for each in self.ask("GET", "/v1/os-hosts", user="admin")["hosts"]}
        self.count(hosts == numbers, "the hosts have the numbers that they had", hosts)
        self.count(all(self.admin.cloud.get("compute", "/servers/" + each)["server"]["status"] == "ACTIVE"
                       for each in servers.values()), "their servers run on")
        added = {"whole": self.runs(things, "theirs-too", **self.named(reservations["whole"])),
                 "slots": self.runs(things, "slotted-too", flavor=reservations["slots"])}
        self.count([self.host_of(each) for each in added.values()] == [WHOLE, SLOTTED], "and get company")
        found = self.ask("GET", "/api/operations/drift", user="admin")
        self.count(not found["missing"] and not found["squatters"], "the cloud has all that the leases have", found)

    def start_and_end(self, things, leases, reservations, servers):
        for name in PENDING:
            self.await_status(leases[name], "active", START + 120)
        self.count(self.admin.aggregate(reservations["next"])["hosts"] == [WANTED]
                   and self.admin.aggregate(reservations["more"])["hosts"] == [SLOTTED],
                   "those that wait start with what Blazar has promised and made for them")
        late = [self.runs(things, "late", **self.named(reservations["next"])),
                self.runs(things, "late-slotted", flavor=reservations["more"])]
        self.count([self.host_of(each) for each in late] == [WANTED, SLOTTED], "and servers run in them")
        command("demo", "reservation", "lease", "delete", leases["flavor"])
        self.await_status(leases["flavor"], 404)
        for name in TIMED:
            self.await_status(leases[name], "ended", END + 60)
        self.count(all(self.is_gone(each) for each in servers.values()) and not any(map(self.is_gone, late))
                   and not self.addresses(), "those that ran end in time, with their servers and no others")
        for name in PENDING:
            self.await_status(leases[name], "ended", LATE_END + 60)
        self.count(all(map(self.is_gone, late)), "and so do the others")
        left = [each for each in reservations.values() if self.exists(each)]
        self.count(not left, "nothing that Blazar has made is left", left)
        pool = self.admin.freepool()
        self.count(sorted(pool["hosts"]) == list(ALL_HOSTS), "all hosts are in the freepool", pool)

    def addresses(self):
        return self.admin.cloud.get("network", "/v2.0/floatingips?floating_ip_address=" + ADDRESS)["floatingips"]

    def remove_providers(self):
        """Deletes the providers of slots by the documented command; Blazar refuses to enrol hosts that have them."""
        providers = ["blazar_" + name for name in ALL_HOSTS]
        self.count(any(map(self.provider, providers)), "a provider of slots is left")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", documented_command("### Going back")],
                              text=True, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, OS_CLOUD="admin", OS_CLIENT_CONFIG_FILE=place.CLOUDS))
        left = list(filter(self.provider, providers))
        self.count(done.returncode == 0 and not left, "the documented command deletes it", (left, done.stdout))
        self.blazar.restart_computes()

    def provider(self, name):
        """Returns the provider, or None if there is none."""
        found = self.admin.cloud.get("placement", "/resource_providers?name=" + name)["resource_providers"]
        return found[0] if found else None

    def return_to_blazar(self, things):
        """Checks that a new Blazar leases the same host and slots."""
        self.blazar.renew(self.admin)
        self.switch(things, URL)
        self.admin.cloud.post("compute", "/os-aggregates", {"aggregate": {"name": "freepool"}})
        enrolled = [self.blazar.enrol(self.admin, name)["id"] for name in (WHOLE, SLOTTED)]
        end = stamp(minute(HOUR))
        leases = [self.blazar.lease(self.holder, "again", end, **HOST, hypervisor_properties=on(WHOLE)),
                  self.blazar.lease(self.holder, "again-slots", end, **SLOTS, resource_properties=on(SLOTTED))]
        for lease in leases:
            await_that(lambda one=lease["id"]: self.blazar.status(self.holder, one) == "ACTIVE",
                       "Blazar has started a lease again", patience=PATIENCE)
        whole, slots = (lease["reservations"][0]["id"] for lease in leases)
        servers = [self.runs(things, "again", **self.named(whole)), self.runs(things, "again-slots", flavor=slots)]
        self.count([self.host_of(each) for each in servers] == [WHOLE, SLOTTED], "Blazar leases the same hosts again")
        for lease in leases:
            self.blazar.call(self.holder, "DELETE", "/leases/" + lease["id"])
        for number in enrolled:
            self.blazar.call(self.admin, "DELETE", "/os-hosts/%s" % number)
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.admin.freepool()["id"])

    @staticmethod
    def named(reservation):
        """Returns the hint that places a server on the reservation's hosts, where Nova has the filter."""
        return {"hints": {"reservation": reservation}}

    def runs(self, things, name, **where):
        """Boots a server, with retries: Nova's scheduler learns of aggregates a moment later."""
        def running():
            server = self.holder.server(things, name, **where)
            return Isolation.await_host(self.admin, server) and server
        return await_that(running, "a server %s has got a host" % name)

    def host_of(self, server):
        return self.admin.await_server(server, "ACTIVE")


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    if not release.HAS_BLAZAR:
        sys.exit("This release has no Blazar: TESTBED_RELEASE=trixie does.")
    # Blazar creates its aggregates for its filter in Nova.
    choices = dataclasses.replace(Choices.recorded(), filter=True, blazar=True)
    with Trial("movein") as trial, lifecycle.mode(choices):
        given = {**SETTINGS, "leasehold.openstack.auth-url": IDENTITY, "leasehold.saga.watching": "3s",
                 "leasehold.plugins.openstack-floatingips.enabled": "true"}
        engine, rehearsal = (
            trial.engine(name, port, 0, trial.postgres(port + 1).create(), make=Trusted, settings=dict(given))
            for name, port in (("engine", PORT), ("rehearsal", PORT + 2)))
        MovingIn(trial, engine, rehearsal, choices).live()


if __name__ == "__main__":
    main()
