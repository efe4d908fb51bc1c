"""A product that leases the testbed's hosts, and what the cloud shows of it."""

import contextlib
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


def settings(isolation, identity=IDENTITY):
    """The product's own users are the cloud's: what it leases is theirs there."""
    cloud = {"auth-url": identity, "user": "leasehold", "password": place.PASSWORD, "project": "service"}
    found = {"leasehold.openstack." + name: value for name, value in cloud.items()}
    found["leasehold.plugins.openstack-hosts.isolation"] = isolation
    for index, name in enumerate(("admin", "demo", "other")):
        found["leasehold.gateway.users[%d].project-id" % index] = User(name).cloud.project
    return found


class Deployment:
    """Asks the product for leases, and the cloud what became of them."""

    def __init__(self, trial, engine, words=""):
        self.trial = trial
        self.engine = engine
        self.words = words
        self.admin, self.holder = User("admin"), User("demo")

    @contextlib.contextmanager
    def as_before(self):
        """Nothing is to be left; if something is, the next one does not suffer from it."""
        before = self.everything()
        try:
            yield
            self.engine.stop()
            after = self.everything()
            self.count(after == before, "nothing is left in the cloud", dict(set(after.items()) ^ set(before.items())))
        finally:
            self.engine.stop()
            self.tidy(before)

    def count(self, holds, what, evidence=""):
        self.trial.count(holds, self.words + what, evidence)

    def enrol(self, name):
        made = self.ask("POST", "/api/resources", {"kind": "physical:host", "name": name}, user="admin")
        await_that(lambda: name in self.freepool()["hosts"], name + " is in the freepool")
        return made["id"]

    def retire(self, resources):
        """All that are enrolled."""
        for resource in resources:
            self.ask("DELETE", "/api/resources/%s" % resource, user="admin")
        await_that(lambda: not self.freepool()["hosts"], "the freepool is empty")
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.freepool()["id"])

    def lease(self, name, *hosts, start=0, length=1800, before_end=None):
        now = datetime.datetime.now(datetime.timezone.utc)

        def later(seconds):
            return stamp(now + datetime.timedelta(seconds=seconds))

        filters = [["==", "$hypervisor_hostname", host] for host in hosts]
        parameters = {"min": len(hosts), "max": len(hosts), "resource_properties": "",
                      "hypervisor_properties": filters[0] if len(hosts) == 1 else ["or", *filters],
                      "before_end": "snapshot" if before_end else "default"}
        wish = {"name": name, "end": later(start + length),
                "reservations": [{"kind": "physical:host", "parameters": parameters}]}
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

    def count_back(self, hosts, reservation):
        self.count(set(hosts) <= set(self.freepool()["hosts"]) and not self.aggregate(reservation),
                   "%s back in the freepool, and there is no aggregate" % (
                       hosts[0] + " is" if len(hosts) == 1 else "all hosts are"), self.freepool())

    def ask(self, method, path, body=None, user="demo"):
        answer, text = self.engine.call(user, method, path, body)
        if answer >= 300:
            raise AssertionError("%s %s: %d %s" % (method, path, answer, text))
        return json.loads(text) if text else None

    def aggregate(self, name):
        """None if there is none."""
        found = self.admin.cloud.get("compute", "/os-aggregates")["aggregates"]
        return next((each for each in found if each["name"] == name), None)

    def freepool(self):
        return self.aggregate("freepool") or {"hosts": []}

    def is_gone(self, server):
        return not self.admin.cloud.exists("compute", "/servers/" + server)

    def tidy(self, before):
        for kind, one in set(self.everything()) - set(before):
            if kind == "aggregates":
                path = "/os-aggregates/" + one
                for host in self.admin.cloud.get("compute", path)["aggregate"]["hosts"]:
                    self.admin.cloud.post("compute", path + "/action", {"remove_host": {"host": host}})
                self.admin.cloud.delete("compute", path)
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
