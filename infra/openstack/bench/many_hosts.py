"""Measures the time and the number of calls to Nova for the start and the end of one lease of many hosts.

Once with one call after the other, as a lower bound for sequential calls, then with as many at once as the
engine makes by default. Nova's own log counts only these calls: no other client calls it meanwhile.
"""

import datetime
import json
import re
import statistics
import sys
import time

from e2e.life import settings
from harness.leases import create, status, wish
from harness.trial import Trial, arguments
from testbed import place, processes
from testbed.services import Choices
from testbed.users import User

ANSWERED = re.compile(r'"(?:GET|POST|PUT|DELETE) /v2\.1/\S* HTTP/1\.1" status: \d+ len: \d+ time: ([\d.]+)')


class NovaLog:
    """The calls that Nova has answered since the log was read last."""

    def __init__(self):
        self.log = open(place.log("nova-api"), encoding="utf-8", errors="replace")

    def calls(self):
        return [float(call.group(1)) for line in self.log if (call := ANSWERED.search(line))]

    def forget(self):
        self.log.seek(0, 2)


class ManyHosts:

    def __init__(self, engine, names):
        self.engine = engine
        self.names = names
        self.admin = User("admin")
        self.log = NovaLog()

    def enrol(self):
        for name in self.names:
            self.ask("POST", "/api/resources", {"kind": "physical:host", "name": name})
        while not set(self.names) <= set(self.admin.freepool()["hosts"]):
            time.sleep(0.5)

    def retire(self):
        while resources := self.ask("GET", "/api/resources")["resources"]:
            for resource in resources:
                self.ask("DELETE", "/api/resources/%s" % resource["id"])
        while self.admin.freepool()["hosts"]:
            time.sleep(0.5)

    def round(self):
        """Returns the measurements of a start and an end."""
        now = datetime.datetime.now(datetime.timezone.utc)
        lease, started = self.measure(lambda: create(self.engine, wish("many", now, 3600, len(self.names))), "active")
        _, ended = self.measure(lambda: self.ask("DELETE", "/api/leases/" + lease) or lease, 404, lease)
        return started, ended

    def measure(self, begin, wanted, lease=None):
        self.log.forget()
        began = time.monotonic()
        lease = begin() or lease
        while (seen := status(self.engine, lease, "admin")) != wanted:
            if seen == "error" or time.monotonic() - began > 600:
                raise AssertionError("the lease is %s" % seen)
            time.sleep(0.05)
        took = time.monotonic() - began
        time.sleep(0.5)  # The log's last lines are written after their answers.
        calls = self.log.calls()
        return lease, {"took": took, "calls": len(calls), "theirs": sum(calls)}

    def ask(self, method, path, body=None):
        answer, text = self.engine.call("admin", method, path, body)
        if answer >= 300:
            raise AssertionError("%s %s: %d %s" % (method, path, answer, text))
        return json.loads(text) if text else None


def report(what, most, rounds):
    middle = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
    took = [each["took"] for each in rounds]
    print("%-5s  %2d at once  %6.2f s (%.2f-%.2f)  %4d calls, which took Nova %6.2f s" % (
        what, most, middle["took"], min(took), max(took), middle["calls"], middle["theirs"]), flush=True)
    return middle["took"]


def main():
    given = arguments(32200, hosts={"type": int, "default": 100}, rounds={"type": int, "default": 3})
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start --hosts %d comes first." % given.hosts)
    isolation = "filter" if Choices.recorded().filter else "tenancy"
    names = ["compute-%03d" % (number + 1) for number in range(given.hosts)]
    took = {}
    with Trial("many hosts") as trial:
        postgres = trial.postgres(given.port + 1).create()
        engine = trial.engine("engine", given.port, 0, postgres, settings=settings())
        engine.settings["leasehold.plugins.openstack-hosts.isolation"] = isolation
        many = ManyHosts(engine, names)
        for most in (1, 16):
            engine.settings["leasehold.openstack.most-calls"] = most
            engine.start()
            if not took:
                many.enrol()
            rounds = [many.round() for _ in range(given.rounds)]
            for what, measured in zip(("start", "end"), zip(*rounds)):
                took[what, most] = report(what, most, measured)
            if most > 1:
                many.retire()
            engine.stop()
        for what in ("start", "end"):
            print("%-5s  %.1f times as fast as one call after the other" % (what, took[what, 1] / took[what, 16]))


if __name__ == "__main__":
    main()
