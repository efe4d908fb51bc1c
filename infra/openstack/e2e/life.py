"""What lives of leases of all kinds have in common: they are asked of the product, and looked at in the cloud."""

import datetime
import json
import os
import subprocess
import time

from harness.leases import stamp, status
from testbed import place
from testbed.rest import IDENTITY
from testbed.users import User, await_that


def openstack(*words):
    """What the command line shows an administrator."""
    done = subprocess.run(["/usr/bin/openstack", "--os-cloud", "admin", *words, "-f", "json"], text=True, check=True,
                          capture_output=True, env=dict(os.environ, OS_CLIENT_CONFIG_FILE=place.CLOUDS))
    return json.loads(done.stdout)


def settings():
    """The product's own users are the cloud's: what it leases is theirs there."""
    cloud = {"auth-url": IDENTITY, "user": "leasehold", "password": place.PASSWORD, "project": "service"}
    found = {"leasehold.openstack." + name: value for name, value in cloud.items()}
    for index, name in enumerate(("admin", "demo", "other")):
        found["leasehold.gateway.users[%d].project-id" % index] = User(name).cloud.project
    return found


class Life:
    """With one product, in one mode of Nova."""

    def __init__(self, trial, engine, choices):
        self.trial = trial
        self.engine = engine
        self.choices = choices
        self.words = "with the filter: " if choices.filter else "without plug-in: "
        self.admin, self.holder = User("admin"), User("demo")

    def count(self, holds, what, evidence=""):
        self.trial.count(holds, self.words + what, evidence)

    def ask(self, method, path, body=None, user="demo"):
        answer, text = self.engine.call(user, method, path, body)
        if answer >= 300:
            raise AssertionError("%s %s: %d %s" % (method, path, answer, text))
        return json.loads(text) if text else None

    def enrol(self, name):
        made = self.ask("POST", "/api/resources", {"kind": "physical:host", "name": name}, user="admin")
        await_that(lambda: name in self.freepool()["hosts"], name + " is in the freepool")
        return made["id"]

    def retire(self, enrolled):
        """All that are in the freepool, which goes with them."""
        for resource in enrolled:
            self.ask("DELETE", "/api/resources/%s" % resource, user="admin")
        await_that(lambda: not self.freepool()["hosts"], "the freepool is empty")
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.freepool()["id"])

    def lease_of(self, kind, parameters, name, start=0, length=1800, before_end=None):
        now = datetime.datetime.now(datetime.timezone.utc)

        def later(seconds):
            return stamp(now + datetime.timedelta(seconds=seconds))

        wish = {"name": name, "end": later(start + length), "reservations": [{"kind": kind, "parameters": parameters}]}
        if start:
            wish["start"] = later(start)
        if before_end:
            wish["before_end"] = later(before_end)
        return self.ask("POST", "/api/leases", wish)["id"]

    def reservation(self, lease):
        return self.ask("GET", "/api/leases/" + lease)["reservations"][0]["id"]

    def delete(self, lease, patience=60):
        self.ask("DELETE", "/api/leases/" + lease)
        self.await_status(lease, 404, patience)

    def await_status(self, lease, wanted, patience=60):
        deadline = time.monotonic() + patience
        while (seen := status(self.engine, lease)) != wanted:
            if time.monotonic() > deadline:
                raise AssertionError("the lease is %s, not %s" % (seen, wanted))
            time.sleep(0.2)

    def aggregate(self, name):
        """None if there is none."""
        found = self.admin.cloud.get("compute", "/os-aggregates")["aggregates"]
        return next((each for each in found if each["name"] == name), None)

    def remove_aggregate(self, one):
        path = "/os-aggregates/" + one
        for host in self.admin.cloud.get("compute", path)["aggregate"]["hosts"]:
            self.admin.cloud.post("compute", path + "/action", {"remove_host": {"host": host}})
        self.admin.cloud.delete("compute", path)

    def freepool(self):
        return self.aggregate("freepool") or {"hosts": []}

    def is_gone(self, server):
        return not self.admin.cloud.exists("compute", "/servers/" + server)
