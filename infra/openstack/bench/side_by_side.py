"""Measures Blazar and the engine on one cloud, one after the other, with the same requests.

The same hosts, projects, tokens and times. A measurement says how many requests failed; a system that fails is not
faster. Each system has the machine for itself, together with the cloud.
"""

import argparse
import collections
import contextlib
import dataclasses
import json
import statistics
import sys
import threading
import time

from e2e.blazar import URL, Blazar, minute, stamp
from e2e.keystone import SETTINGS
from e2e.life import Trusted, isolating
from harness.trial import Trial
from testbed import lifecycle, processes, release
from testbed.rest import IDENTITY, Refused, exchange, parse
from testbed.services import Choices
from testbed.users import User, await_that

PORT = 32300
CLIENTS = (1, 4, 8, 16)
RACERS = 16
LISTS = 10
LISTED = 50
# Seconds until a due start counts as lost.
PATIENCE = 600
DAY = 86400
HOST = {"resource_type": "physical:host", "min": 1, "max": 1, "hypervisor_properties": "", "resource_properties": ""}


class BlazarSystem:
    """Blazar with its two services."""

    name = "Blazar"

    def __init__(self, choices):
        self.blazar = Blazar(choices)
        self.url = URL

    def begin(self, admin):
        self.blazar.renew(admin)

    def kill(self):
        with lifecycle.alone():
            lifecycle.stop(["blazar-api", "blazar-manager"], kill=True)

    def go_on(self):
        self.blazar.start()

    def end(self):
        self.blazar.stop()


class EngineSystem:
    """The engine with its PostgreSQL."""

    name = "Leasehold"

    def __init__(self, trial, choices):
        self.trial = trial
        self.engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), make=Trusted, settings={
            **SETTINGS, **isolating(choices), "leasehold.openstack.auth-url": IDENTITY,
            # Blazar has no such limit, and 80 seconds of creates reach the default.
            "leasehold.lease.most-per-project": "0"})
        self.url = self.engine.url + "/v1"

    def begin(self, _admin):
        self.engine.start()

    def kill(self):
        self.engine.kill()

    def go_on(self):
        self.engine.start()

    def end(self):
        self.engine.stop()


class Measurement:
    """All measurements of one system."""

    def __init__(self, system, hosts, seconds):
        self.system = system
        self.hosts = hosts
        self.seconds = seconds
        self.admin, self.demo = User("admin"), User("demo")
        self.results = {}
        self.lock = threading.Lock()
        self.windows = 0

    def run(self):
        self.enrol()
        self.lists()
        for clients in CLIENTS:
            self.creates(clients)
        self.race()
        self.starts("starts due at once", kill=False)
        self.starts("kill -9 amid starts", kill=True)

    def call(self, user, method, path, body=None):
        """Returns status, JSON and the seconds until the response was complete."""
        data = None if body is None else json.dumps(body)
        began = time.monotonic()
        try:
            status, text = exchange(self.system.url + path, method, data, {"X-Auth-Token": user.cloud.token}, timeout=300)
        except OSError as failure:
            status, text = 0, str(failure)
        took = time.monotonic() - began
        return status, parse(text), took

    def enrol(self):
        for host in self.hosts:
            status, found, _ = self.call(self.admin, "POST", "/os-hosts", {"name": host})
            if status != 201:
                raise AssertionError("%s is not enrolled: %d %s" % (host, status, found))
        await_that(lambda: set(self.hosts) <= set(self.admin.freepool()["hosts"]), "all hosts are in the freepool")

    def lease(self, name, start, end):
        return self.call(self.demo, "POST", "/leases", {
            "name": name, "start_date": stamp(start), "end_date": stamp(end), "reservations": [HOST], "events": []})

    def window(self):
        """Returns the next hour in which no lease is."""
        with self.lock:
            self.windows += 1
            return minute(DAY + 7200 * self.windows), minute(DAY + 7200 * self.windows + 3600)

    def creates(self, clients):
        """Creates leases of a host for some seconds, each in a free window."""
        answers = []
        until = time.monotonic() + self.seconds

        def client():
            while time.monotonic() < until:
                answers.append(self.lease("created", *self.window()))

        began = time.monotonic()
        together(client, clients)
        took = time.monotonic() - began
        good = [seconds for status, _, seconds in answers if status == 201]
        self.results["creates, %d clients" % clients] = {
            "per second": len(good) / took, "median, s": statistics.median(good) if good else None,
            "failed": len(answers) - len(good)}

    def lists(self):
        """Measures the list of the first leases: later, the faster system has more."""
        for _ in range(LISTED):
            self.lease("listed", *self.window())
        times = []
        for _ in range(LISTS):
            status, found, seconds = self.call(self.demo, "GET", "/leases")
            if status != 200:
                raise AssertionError("the list: %d" % status)
            times.append(seconds)
        self.results["list of all leases"] = {"leases": len(found["leases"]), "median, s": statistics.median(times)}

    def race(self):
        """Asks for one host in the same window, twice as often as there are hosts, with many clients."""
        start, end = self.window()
        left = list(range(2 * len(self.hosts)))
        answers = []

        def client():
            with contextlib.suppress(IndexError):
                while True:
                    answers.append((left.pop(), self.lease("raced", start, end))[1])

        began = time.monotonic()
        together(client, RACERS)
        took = time.monotonic() - began
        status, found, _ = self.call(self.admin, "GET", "/os-hosts/allocations")
        promised = [each["resource_id"] for each in found["allocations"] for part in each["reservations"]
                    if part["start_date"].startswith(start.strftime("%Y-%m-%dT%H:%M"))]
        statuses = collections.Counter(status for status, _, _ in answers)
        self.results["race of %d requests for %d hosts" % (2 * len(self.hosts), len(self.hosts))] = {
            "granted": statuses[201], "promised twice": len(promised) - len(set(promised)), "s": took,
            "refused with": "/".join(sorted(str(status) for status in statuses if status != 201))}

    def starts(self, what, kill):
        """Lets one lease for each host start in the same minute; kills the system when the first one has started.

        Each lease is asked for by its id: the systems have different numbers of others.
        """
        start = minute(60 + 3 * len(self.hosts))
        made = [self.lease("due", start, minute(7200)) for _ in self.hosts]
        leases = [found["lease"]["id"] for status, found, _ in made if status == 201]
        time.sleep(max(0, start.timestamp() - time.time()))
        if kill:
            await_that(lambda: self.statuses(leases)["ACTIVE"], "a lease has started", longest_pause=0.2)
            self.system.kill()
            self.system.go_on()
        deadline = time.time() + PATIENCE
        while True:
            seen = self.statuses(leases)
            if seen["ACTIVE"] + seen["ERROR"] == len(leases) or time.time() > deadline:
                break
            time.sleep(0.5)
        self.results[what] = {"leases": len(leases), "active": seen["ACTIVE"], "in error": seen["ERROR"],
                              "s after the due time": time.time() - start.timestamp()}
        for lease in leases:
            self.call(self.demo, "DELETE", "/leases/" + lease)
        with contextlib.suppress(AssertionError):
            await_that(lambda: set(self.hosts) <= set(self.admin.freepool()["hosts"]), "the hosts are back")

    def statuses(self, leases):
        answers = [self.call(self.demo, "GET", "/leases/" + lease) for lease in leases]
        return collections.Counter(found["lease"]["status"] for status, found, _ in answers if status == 200)


def together(work, number):
    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def clear(admin):
    """Removes what a system has left in the cloud: freepool, aggregates of reservations."""
    for each in admin.aggregates():
        if each["name"] == "freepool" or (each["availability_zone"] or "").startswith("blazar_"):
            admin.empty_aggregate(each["id"])
            with contextlib.suppress(Refused):
                admin.cloud.delete("compute", "/os-aggregates/%s" % each["id"])


def table(measurements):
    """Returns the results as a table, with a column for each system."""
    lines = ["| | %s |" % " | ".join(each.system.name for each in measurements), "|---|" + "---|" * len(measurements)]
    for name in measurements[0].results:
        cells = [", ".join("%s %s" % (key, "%.3g" % value if isinstance(value, float) else value)
                           for key, value in each.results.get(name, {}).items()) for each in measurements]
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hosts", type=int, default=8, help="not more than the testbed has")
    parser.add_argument("--seconds", type=int, default=20, help="of each measurement of creates")
    given = parser.parse_args()
    if not processes.runs("keystone") or not release.HAS_BLAZAR:
        sys.exit("There is no cloud with Blazar: infra/openstack/testbed/start comes first.")
    choices = dataclasses.replace(Choices.recorded(), filter=True, blazar=True)
    hosts = ["compute-%03d" % number for number in range(1, given.hosts + 1)]
    admin = User("admin")
    with Trial("side by side") as trial, lifecycle.mode(choices):
        measurements = []
        for system in BlazarSystem(choices), EngineSystem(trial, choices):
            clear(admin)
            admin.cloud.post("compute", "/os-aggregates", {"aggregate": {"name": "freepool"}})
            measurements.append(Measurement(system, hosts, given.seconds))
            try:
                system.begin(admin)
                measurements[-1].run()
            finally:
                system.end()
                clear(admin)
            trial.count(True, "%s is measured" % system.name)
            print(table(measurements[-1:]), flush=True)
        print(table(measurements), flush=True)


if __name__ == "__main__":
    main()
