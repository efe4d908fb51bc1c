"""Sends the same requests to Blazar and to the engine on one cloud, and compares statuses and fields of the responses.

`differences.tsv` lists each permitted difference: request or field, Blazar's, the engine's, reason. The comparison
fails if another one appears, or if a listed one is gone.
"""

import contextlib
import dataclasses
import json
import os
import re
import sys

from e2e.blazar import URL, Blazar, minute, stamp
from e2e.life import Trusted, isolating, remove_trusts, trusts_of
from e2e.keystone import SETTINGS
from e2e.requests import STEPS, get
from harness.trial import Trial
from testbed import lifecycle, processes, release
from testbed.rest import IDENTITY, exchange, parse
from testbed.services import Choices
from testbed.users import User, await_that

PORT = 32280
DIFFERENCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "differences.tsv")
TYPES = {str: "text", bool: "boolean", int: "number", float: "number", type(None): "null"}
FREEPOOL = "freepool"
USERS = {"admin": "admin", "demo": "demo", "other": "other", "reader": "demo"}


class Service:
    """One of the two services: sends requests as users, and remembers ids from its own responses."""

    def __init__(self, name, url, known):
        self.name = name
        self.url = url
        self.known = dict(known)
        self.tokens = {user: User(user, project).cloud.token for user, project in USERS.items()}

    def send(self, step):
        """Returns the status and the JSON of a response, or its text if it is none."""
        body = step.body if step.body is None or isinstance(step.body, str) else json.dumps(step.body)
        token = {"X-Auth-Token": self.tokens[step.user]} if step.user else {}
        status, text = exchange(self.url + self.fill(step.path), step.method, None if body is None else self.fill(body),
                                {**step.headers, **token}, timeout=120)
        found = parse(text)
        for name, path in step.remember.items():
            self.known[name] = str(at(found, path)) if status < 300 else "nothing"
        return status, found

    def fill(self, text):
        for name, value in self.known.items():
            text = text.replace("{%s}" % name, value)
        return text

    def await_status(self, lease, wanted):
        def reached():
            _, found = self.send(get("wait", "/leases/{%s}" % lease))
            return found.get("lease", {}).get("status") == wanted
        await_that(reached, "%s: the lease is %s" % (self.name, wanted), patience=300)


def at(found, path):
    for part in path.split("."):
        found = found[int(part) if part.isdigit() else part]
    return found


def shape(found, path="", known=None):
    """Returns the types of each field of a response, by its path; elements of a list share a path."""
    known = {} if known is None else known
    if isinstance(found, dict):
        for name, value in found.items():
            shape(value, "%s.%s" % (path, name) if path else name, known)
    elif isinstance(found, list):
        known.setdefault(path + "[]", {"list"})
        for value in found:
            shape(value, path + "[]", known)
    else:
        known.setdefault(path, set()).add(TYPES[type(found)])
    return known


def compare(step, theirs, ours):
    """Returns the differences of two responses: a status, or a field that has no type in common, in any response."""
    if theirs[0] != ours[0]:
        yield "%s\t%d\t%d" % (step.name, theirs[0], ours[0])
        if theirs[0] >= 400 or ours[0] >= 400:
            return
    if theirs[0] >= 400:
        return
    left, right = shape(theirs[1]), shape(ours[1])
    for path in sorted(left.keys() | right.keys()):
        if not left.get(path, set()) & right.get(path, set()):
            yield "%s\t%s\t%s" % (re.sub(r"^\w+(\[\])?\.", "", path), *(
                " or ".join(sorted(types.get(path, {"-"}))) for types in (left, right)))


def expected():
    """Returns the permitted differences: lines without the reason, which is the last column."""
    with open(DIFFERENCES, encoding="utf-8") as lines:
        return {line.rstrip("\n").rpartition("\t")[0] for line in lines if line.strip() and not line.startswith("#")}


class Comparison:
    def __init__(self, trial, choices, engine):
        self.trial = trial
        self.engine = engine
        self.blazar = Blazar(choices)
        self.admin, self.holder, self.trustee = User("admin"), User("demo"), User("leasehold", "service")

    def run(self):
        public = self.admin.cloud.get("network", "/v2.0/networks?name=public")["networks"][0]["id"]
        hours = {"h%d" % number: stamp(minute(3600 * number)) for number in range(3, 15)}
        known = {"public": public, "past": "2020-01-01 00:00", "start": stamp(minute(3600)), "middle": stamp(minute(5400)),
                 "end": stamp(minute(7200)), "later": stamp(minute(9000)), **hours}
        with contextlib.ExitStack() as things:
            things.callback(self.blazar.stop)
            self.admin.cloud.post("compute", "/os-aggregates", {"aggregate": {"name": FREEPOOL}})
            things.callback(self.remove_freepool)
            self.blazar.renew(self.admin)
            # The product itself deletes only trusts that are a minute old.
            things.callback(remove_trusts, self.trustee, self.holder, {each["id"] for each in trusts_of(self.trustee)})
            things.callback(self.engine.stop)
            self.engine.start()
            # A lease that runs moves its host, so each service has a host of its own for that.
            theirs = Service("Blazar", URL, {**known, "third": "compute-003"})
            ours = Service("Leasehold", self.engine.url + "/v1", {**known, "third": "compute-004"})
            found = []
            for step in STEPS:
                for service in (theirs, ours) if step.wait else ():
                    service.await_status(*step.wait)
                found += compare(step, theirs.send(step), ours.send(step))
        self.report(found)

    def report(self, found):
        wanted = expected()
        for line in sorted(set(found) - wanted):
            self.trial.count(False, "a difference that is not in the list: " + line)
        for line in sorted(wanted - set(found)):
            self.trial.count(False, "a difference of the list that is gone: " + line)
        self.trial.count(True, "%d requests, %d differences" % (len(STEPS), len(set(found))))

    def remove_freepool(self):
        if found := self.admin.aggregate(FREEPOOL):
            self.admin.remove_aggregate(found["id"])


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    if not release.HAS_BLAZAR:
        sys.exit("This release has no Blazar: TESTBED_RELEASE=trixie does.")
    choices = dataclasses.replace(Choices.recorded(), filter=True, blazar=True)
    with Trial("compare") as trial, lifecycle.mode(choices):
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), make=Trusted, settings={
            **SETTINGS, **isolating(choices), "leasehold.openstack.auth-url": IDENTITY,
            "leasehold.plugins.openstack-floatingips.enabled": "true"})
        Comparison(trial, choices, engine).run()


if __name__ == "__main__":
    main()
