"""Checks the migration from a Blazar, whose resources in the cloud and whose database the script creates."""

import contextlib
import dataclasses
import datetime
import os
import subprocess
import sys
import uuid

from e2e.instances import HOSTS, Instances
from e2e.life import settings
from harness.engine import ROOT
from harness.trial import Trial
from testbed import database, lifecycle, place, processes
from testbed.isolation import Isolation
from testbed.services import Choices, every
from testbed.users import await_that

PORT = 32240

SCHEMA = os.path.join(ROOT, "infra", "runtime", "src", "test", "resources", "blazar", "553383923ca0.sql")
DATABASE = USER = "blazar_e2e"
CONFIGURATION = "[manager]\nplugins = physical.host.plugin,virtual.instance.plugin\n"

WHOLE, SLOTTED, WANTED = HOSTS

# Seconds after the Blazar stops; the engine runs long before the first.
START, END, LATE_END = 170, 215, 260
VCPUS, MEMORY, DISK = 4, 8192, 40


def documented_command(heading):
    """Returns the first code block below a heading of the operators' page."""
    with open(os.path.join(ROOT, "infra", "docs", "operations.md"), encoding="utf-8") as page:
        section = page.read().split("\n%s\n" % heading)[1]
    return section.split("```\n")[1]


def resource_class(reservation):
    return "CUSTOM_RESERVATION_" + reservation.upper().replace("-", "_")


class Blazar:
    """Blazar's database, with rows as Blazar writes them."""

    def __init__(self):
        self.now = self.clock()

    @staticmethod
    def clock():
        return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0, tzinfo=None)

    def stop_now(self):
        """Adds the duration of the preparation to all times, so that Blazar stops with the intended state."""
        late = int((self.clock() - self.now).total_seconds())
        for table, columns in ("leases", ("start_date", "end_date")), ("events", ("time",)):
            database.ask("UPDATE %s.%s SET %s" % (DATABASE, table, ", ".join(
                "%s = %s + INTERVAL %d SECOND" % (column, column, late) for column in columns)))

    def __enter__(self):
        self.drop()
        database.ask("CREATE DATABASE %s" % DATABASE)
        database.ask("CREATE USER '%s'@'%s' IDENTIFIED BY '%s'" % (USER, place.LOOPBACK, place.PASSWORD))
        database.ask("GRANT SELECT ON %s.* TO '%s'@'%s'" % (DATABASE, USER, place.LOOPBACK))
        with open(SCHEMA, encoding="utf-8") as tables:
            database.ask("USE %s;\n%s" % (DATABASE, tables.read().replace(" timestamp", " datetime")))
        return self

    def __exit__(self, *failure):
        self.drop()

    @staticmethod
    def drop():
        database.ask("DROP DATABASE IF EXISTS %s" % DATABASE)
        database.ask("DROP USER IF EXISTS '%s'@'%s'" % (USER, place.LOOPBACK))

    def later(self, seconds):
        return self.now + datetime.timedelta(seconds=seconds)

    def insert(self, table, **columns):
        row = {"id": str(uuid.uuid4()), "created_at": self.now, **columns}
        database.ask("INSERT INTO %s.%s (%s) VALUES (%s)" % (
            DATABASE, table, ", ".join(row), ", ".join(self.literal(value) for value in row.values())))
        return row["id"]

    @staticmethod
    def literal(value):
        if value is None:
            return "NULL"
        if isinstance(value, (bool, int)):
            return str(int(value))
        return "'%s'" % str(value).replace("\\", "\\\\").replace("'", "''")

    def host(self, name):
        """Inserts a host with Nova's own number and Nova's other values."""
        [[number, vcpus, memory, disk, kind, version]] = database.ask(
            "SELECT id, vcpus, memory_mb, local_gb, hypervisor_type, hypervisor_version FROM nova.compute_nodes"
            " WHERE hypervisor_hostname = '%s' AND deleted = 0" % name)
        self.insert("computehosts", id=number, hypervisor_hostname=name, service_name=name, vcpus=int(vcpus),
                    memory_mb=int(memory), local_gb=int(disk), hypervisor_type=kind, hypervisor_version=int(version),
                    cpu_info="", availability_zone="", trust_id="none", reservable=True)
        return number

    def lease(self, name, user, running, end):
        """Inserts a lease that has run for an hour, or one that has not started."""
        start = -3600 if running else START
        lease = self.insert("leases", name=name, user_id=user.cloud.user, project_id=user.cloud.project,
                            start_date=self.later(start), end_date=self.later(end), trust_id="none",
                            status="ACTIVE" if running else "PENDING", degraded=False)
        for what, when in ("start_lease", start), ("before_end_lease", end - 60), ("end_lease", end):
            self.insert("events", lease_id=lease, event_type=what, time=self.later(when),
                        status="DONE" if running and what == "start_lease" else "UNDONE")
        return lease

    def reservation(self, lease, kind, running):
        return self.insert("reservations", lease_id=lease, resource_id=str(uuid.uuid4()), resource_type=kind,
                           status="active" if running else "pending")

    def allocate(self, reservation, *hosts):
        for host in hosts:
            self.insert("computehost_allocations", compute_host_id=host, reservation_id=reservation)


class MovingIn(Instances):
    """The scenario, from the last hour of a Blazar to the end of the last lease that Blazar has made."""

    def lives(self):
        with Blazar() as self.blazar, contextlib.ExitStack() as things:
            self.engine.start()
            self.engine.stop()
            self.pool(things)
            numbers = {name: self.blazar.host(name) for name in HOSTS}
            running = {"whole": self.whole(things, numbers[WHOLE], running=True),
                       "slots": self.slots(things, numbers[SLOTTED], running=True)}
            waiting = {"next": self.whole(things, numbers[WANTED], running=False),
                       "more": self.slots(things, numbers[SLOTTED], running=False)}
            reservations = {name: found[1] for name, found in (running | waiting).items()}
            servers = {"whole": self.runs(things, "theirs", **self.named(reservations["whole"])),
                       "slots": self.runs(things, "slotted", flavor=reservations["slots"])}
            self.count([self.host_of(each) for each in servers.values()] == [WHOLE, SLOTTED],
                       "Blazar's leases have servers")
            answer, output = self.move_in()
            self.count(answer == 0 and "Nothing was done" in output, "a dry run says that nothing stands in the way", output)
            self.blazar.stop_now()
            self.come()
            self.engine.start()
            self.go_on(things, numbers, {**running, **waiting}, servers)
            self.start_and_end(things, running, waiting, reservations, servers)
            self.retire(numbers.values())
            self.go_back()

    def pool(self, things):
        """Creates the aggregate of reservable hosts, and the provider of each in Placement."""
        self.make_aggregate("freepool")
        for name in HOSTS:
            self.change_hosts("freepool", "add_host", name)
            if not self.provider("blazar_" + name):
                self.admin.cloud.post("placement", "/resource_providers", {
                    "name": "blazar_" + name, "parent_provider_uuid": self.provider(name)["uuid"]})

    def make_aggregate(self, name, zone=None, **metadata):
        """Creates an aggregate; returns its number."""
        made = self.admin.cloud.post("compute", "/os-aggregates", {
            "aggregate": {"name": name, **({"availability_zone": zone} if zone else {})}})["aggregate"]["id"]
        if metadata:
            self.admin.cloud.post("compute", "/os-aggregates/%s/action" % made, {"set_metadata": {"metadata": metadata}})
        return made

    def change_hosts(self, aggregate, action, host):
        path = "/os-aggregates/%s/action" % self.aggregate(aggregate)["id"]
        self.admin.cloud.post("compute", path, {action: {"host": host}})

    def provider(self, name):
        """Returns the provider, or None if there is none."""
        found = self.admin.cloud.get("placement", "/resource_providers?name=" + name)["resource_providers"]
        return found[0] if found else None

    def whole(self, things, number, running):
        """Creates a lease of a host: an aggregate with a zone, which contains the host while the lease runs."""
        lease = self.blazar.lease("whole", self.holder, running, END if running else LATE_END)
        reservation = self.blazar.reservation(lease, "physical:host", running)
        made = self.make_aggregate(reservation, "blazar_" + reservation,
                                   **{"blazar:owner": self.holder.cloud.project})
        if running:
            self.change_hosts("freepool", "remove_host", WHOLE)
            self.change_hosts(reservation, "add_host", WHOLE)
        self.blazar.insert("computehost_reservations", reservation_id=reservation, count_range="1-1",
                           aggregate_id=made, resource_properties="",
                           hypervisor_properties="", before_end="default")
        self.blazar.allocate(reservation, number)
        return lease, reservation

    def slots(self, things, number, running):
        """Creates a lease of two slots: a flavor, an aggregate without a zone, and a class, two on a running host."""
        lease = self.blazar.lease("slots", self.holder, running, END if running else LATE_END)
        reservation = self.blazar.reservation(lease, "virtual:instance", running)
        project = self.holder.cloud.project
        self.admin.cloud.post("compute", "/flavors", {"flavor": {
            "name": "reservation:" + reservation, "id": reservation, "os-flavor-access:is_public": False,
            "vcpus": VCPUS, "ram": MEMORY, "disk": DISK}})
        flavor = "/flavors/" + reservation
        self.admin.cloud.post("compute", flavor + "/os-extra_specs", {"extra_specs": {
            "aggregate_instance_extra_specs:reservation": reservation,
            "resources:" + resource_class(reservation): "1"}})
        made = self.make_aggregate(reservation, **{
            "reservation": reservation, "filter_tenant_id": project, "blazar:owner": project})
        self.admin.cloud.put("placement", "/resource_classes/" + resource_class(reservation))
        if running:
            self.admin.cloud.post("compute", flavor + "/action", {"addTenantAccess": {"tenant": project}})
            self.change_hosts(reservation, "add_host", SLOTTED)
            self.give_slots(reservation)
        self.blazar.insert("instance_reservations", reservation_id=reservation, vcpus=VCPUS, memory_mb=MEMORY,
                           disk_gb=DISK, amount=2, affinity=None, resource_properties="", flavor_id=reservation,
                           aggregate_id=made, server_group_id=None)
        self.blazar.allocate(reservation, number, number)
        return lease, reservation

    def give_slots(self, reservation):
        path = "/resource_providers/%s/inventories" % self.provider("blazar_" + SLOTTED)["uuid"]
        now = self.admin.cloud.get("placement", path)
        now["inventories"][resource_class(reservation)] = {
            "total": 2, "reserved": 0, "min_unit": 1, "max_unit": 1, "step_size": 1, "allocation_ratio": 1.0}
        self.admin.cloud.put("placement", path, now)

    def come(self):
        answer, output = self.move_in("--import")
        self.count(answer == 0 and "Everything has come." in output, "everything comes", output)
        answer, output = self.move_in("--import")
        self.count(answer == 0 and "4 of these leases are here already." in output, "once", output)
        answer, output = self.command("verify")
        self.count(answer == 0 and ": 0 differences" in output, "and is whole", output)

    def move_in(self, *more):
        configuration = os.path.join(self.engine.folder, "blazar.conf")
        with open(configuration, "w", encoding="utf-8") as text:
            text.write(CONFIGURATION)
        source = {"url": "jdbc:mariadb://%s:3306/%s" % (place.LOOPBACK, DATABASE), "user": USER,
                  "configuration": configuration}
        return self.command("move-in", *("--leasehold.moving.%s=%s" % each for each in source.items()), *more)

    def command(self, name, *more):
        """Runs an operator's command: starts the engine's program with the command's name as its first word."""
        words = self.engine.command(name, *("--%s=%s" % each for each in self.engine.settings.items()), *more)
        done = subprocess.run(words, cwd=self.engine.folder, text=True, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, LEASEHOLD_MOVING_PASSWORD=place.PASSWORD))
        return done.returncode, done.stdout

    def go_on(self, things, numbers, leases, servers):
        """Checks that the migration has changed no lease, host number or server."""
        shown = {name: self.ask("GET", "/v1/leases/" + lease)["lease"]["status"] for name, (lease, _) in leases.items()}
        self.count(shown == {"whole": "ACTIVE", "slots": "ACTIVE", "next": "PENDING", "more": "PENDING"},
                   "the leases are as they were", shown)
        hosts = {each["hypervisor_hostname"]: str(each["id"])
                 for each in self.ask("GET", "/v1/os-hosts", user="admin")["hosts"]}
        self.count(hosts == numbers, "the hosts have the numbers that they had", hosts)
        self.count(all(self.admin.cloud.get("compute", "/servers/" + each)["server"]["status"] == "ACTIVE"
                       for each in servers.values()),
                   "their servers run on")
        added = {"whole": self.runs(things, "theirs-too", **self.named(leases["whole"][1])),
                 "slots": self.runs(things, "slotted-too", flavor=leases["slots"][1])}
        self.count([self.host_of(each) for each in added.values()] == [WHOLE, SLOTTED], "and get company")
        found = self.ask("GET", "/api/operations/drift", user="admin")
        self.count(not found["missing"] and not found["squatters"], "the cloud has all that the leases have", found)

    def start_and_end(self, things, running, waiting, reservations, servers):
        for lease, _ in waiting.values():
            self.await_status(lease, "active", START + 60)
        self.count(self.aggregate(reservations["next"])["hosts"] == [WANTED]
                   and self.aggregate(reservations["more"])["hosts"] == [SLOTTED],
                   "those that wait start with what Blazar has promised and made for them")
        late = [self.runs(things, "late", **self.named(reservations["next"])),
                self.runs(things, "late-slotted", flavor=reservations["more"])]
        self.count([self.host_of(each) for each in late] == [WANTED, SLOTTED], "and servers run in them")
        for lease, _ in running.values():
            self.await_status(lease, "ended", END)
        self.count(all(self.is_gone(each) for each in servers.values()) and not any(map(self.is_gone, late)),
                   "those that ran end in time, with their servers and no others")
        for lease, _ in waiting.values():
            self.await_status(lease, "ended", LATE_END)
        self.count(all(map(self.is_gone, late)), "and so do the others")
        left = [each for each in reservations.values() if self.exists(each)]
        self.count(not left, "nothing that Blazar has made is left", left)
        self.count(sorted(self.freepool()["hosts"]) == list(HOSTS), "all hosts are in the freepool", self.freepool())

    def go_back(self):
        """Deletes the providers of slots by the documented command; Blazar refuses to enrol hosts that have them."""
        providers = ["blazar_" + name for name in HOSTS]
        self.count(any(map(self.provider, providers)), "a provider of slots is left")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", documented_command("### Going back")],
                              text=True, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, OS_CLOUD="admin", OS_CLIENT_CONFIG_FILE=place.CLOUDS))
        left = list(filter(self.provider, providers))
        self.count(done.returncode == 0 and not left, "the documented command deletes it", (left, done.stdout))
        computes = [each.name for each in every(self.choices) if each.name.startswith("nova-compute")]
        with lifecycle.alone():
            lifecycle.stop(computes)
            lifecycle.start(self.choices, computes)

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
    # Blazar creates its aggregates for its filter in Nova.
    choices = dataclasses.replace(Choices.recorded(), filter=True)
    with Trial("movein") as trial, lifecycle.mode(choices):
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), settings={
            **settings(), "leasehold.saga.watching": "3s"})
        MovingIn(trial, engine, choices).live()


if __name__ == "__main__":
    main()
