"""The common part of scenarios of all kinds: requests to the product, and checks in the cloud."""

import contextlib
import dataclasses
import datetime
import json
import logging
import os
import sys
import time

from e2e.keystone import SETTINGS, Product
from harness import openstack_command
from harness.leases import stamp, status
from harness.trial import Trial
from testbed import place, processes
from testbed.isolation import Isolation
from testbed.rest import IDENTITY, Refused
from testbed.services import Choices
from testbed.users import Gone, User, await_that

# Not the engine's default port, which stays free for a lane that needs the product at its address in the catalog.
PORT = 32160


def openstack(*words):
    """Returns the output of the command line for an administrator, parsed from JSON."""
    return json.loads(command("admin", *words, "-f", "json"))


def command(cloud, *words):
    """Runs the command line as a user; returns its output, and fails if it does."""
    done = openstack_command.openstack(["--os-cloud", cloud, *words],
                                       dict(os.environ, OS_CLIENT_CONFIG_FILE=place.CLOUDS))
    done.check_returncode()
    return done.stdout


def settings(identity=IDENTITY):
    """Returns settings that map the product's own users to the cloud's projects, which own what they lease."""
    cloud = {"auth-url": identity, "user": "leasehold", "password": place.PASSWORD, "project": "service"}
    found = {"leasehold.openstack." + name: value for name, value in cloud.items()}
    for index, name in enumerate(("admin", "demo", "other")):
        found["leasehold.gateway.users[%d].project-id" % index] = User(name).cloud.project
    return found


def trusts_of(trustee):
    """Returns the trusts of a trustee, mostly the product's user."""
    return trustee.cloud.get("identity", "/OS-TRUST/trusts?trustee_user_id=" + trustee.cloud.user)["trusts"]


def isolating(choices):
    """Returns the setting of isolation that matches Nova's mode."""
    return {"leasehold.plugins.openstack-hosts.isolation": "filter" if choices.filter else "tenancy"}


def modes():
    """Returns the two modes of Nova, each with true if it is the usual one."""
    usual = Choices.recorded()
    return (usual, True), (dataclasses.replace(usual, filter=not usual.filter), False)


def later(seconds):
    return stamp(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds))


class Life:
    """A series of scenarios with one product, in one mode of Nova."""

    def __init__(self, trial, engine, choices):
        self.trial = trial
        self.engine = engine
        self.choices = choices
        engine.settings.update(isolating(choices))
        self.words = "with the filter: " if choices.filter else "without plug-in: "
        self.admin, self.holder = User("admin"), User("demo")

    def live(self):
        """Runs the scenarios; checks that nothing is left in the cloud, and removes leftovers before the next one."""
        before = self.everything()
        try:
            self.lives()
            self.stop()
            after = self.everything()
            self.count(after == before, "nothing is left in the cloud", dict(set(after.items()) ^ set(before.items())))
        finally:
            self.stop()
            self.tidy(before)

    def stop(self):
        self.engine.stop()

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
        """Retires all hosts of the freepool, and deletes the freepool."""
        for resource in enrolled:
            self.ask("DELETE", "/api/resources/%s" % resource, user="admin")
        await_that(lambda: not self.freepool()["hosts"], "the freepool is empty")
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.freepool()["id"])

    def lease_of(self, *what, **times):
        return self.ask("POST", "/api/leases", self.wish(*what, **times))["id"]

    @staticmethod
    def wish(kind, parameters, name, start=0, length=1800, before_end=None):
        wish = {"name": name, "end": later(start + length), "reservations": [{"kind": kind, "parameters": parameters}]}
        if start:
            wish["start"] = later(start)
        if before_end:
            wish["before_end"] = later(before_end)
        return wish

    def move(self, lease, **times):
        """Changes times of a lease, in seconds from now, because earlier steps of a scenario may take long."""
        self.ask("PATCH", "/api/leases/" + lease, {name: later(seconds) for name, seconds in times.items()})

    def reservation(self, lease):
        return self.ask("GET", "/api/leases/" + lease)["reservations"][0]["id"]

    def delete(self, lease, patience=180):
        self.ask("DELETE", "/api/leases/" + lease)
        self.await_status(lease, 404, patience)

    def await_status(self, lease, wanted, patience=180):
        deadline = time.monotonic() + patience
        while (seen := status(self.engine, lease)) != wanted:
            if time.monotonic() > deadline:
                raise AssertionError("the lease is %s, not %s" % (seen, wanted))
            time.sleep(0.2)

    def aggregate(self, name):
        """Returns the aggregate, or None if there is none."""
        found = self.admin.cloud.get("compute", "/os-aggregates")["aggregates"]
        return next((each for each in found if each["name"] == name), None)

    def remove_aggregate(self, one):
        path = "/os-aggregates/" + one
        for host in self.admin.cloud.get("compute", path)["aggregate"]["hosts"]:
            self.admin.cloud.post("compute", path + "/action", {"remove_host": {"host": host}})
        self.admin.cloud.delete("compute", path)

    def remove_class(self, name, hosts):
        """Removes a resource class, and its inventories of these hosts."""
        for host in hosts:
            found = self.admin.cloud.get("placement", "/resource_providers?name=blazar_" + host)
            for part in found["resource_providers"]:
                with contextlib.suppress(Gone):
                    self.admin.delete("placement", "/resource_providers/%s/inventories/%s" % (part["uuid"], name))
        self.admin.remove("placement", "/resource_classes/" + name)

    def freepool(self):
        return self.aggregate("freepool") or {"hosts": []}

    def is_gone(self, server):
        """Returns true if the server is deleted; Nova still shows it for a moment, with the status DELETED."""
        try:
            return self.admin.cloud.get("compute", "/servers/" + server)["server"]["status"] == "DELETED"
        except Refused as refused:
            if refused.status != 404:
                raise
            return True


class Trusted(Product):
    """An engine that Keystone's users call with their tokens, which trusts need."""

    def __init__(self, *what, **others):
        super().__init__(*what, **others)
        self.tokens = {}

    def call(self, user, method, path, body=None):
        if user not in self.tokens:
            self.tokens[user] = User(user).cloud.token
        answer, _, text = self.ask(self.tokens[user], method, path, body)
        if answer == 401:  # The token has expired, or its user has been disabled meanwhile.
            self.tokens[user] = User(user).cloud.token
            answer, _, text = self.ask(self.tokens[user], method, path, body)
        return answer, text


class TrustedLife(Life):
    """Scenarios of kinds that the engine creates as the user, by a trust."""

    def __init__(self, trial, engine):
        self.trial = trial
        self.engine = engine
        self.words = ""
        self.admin, self.holder, self.other = User("admin"), User("demo"), User("other")
        self.trustee = User("leasehold", "service")
        self.project = self.holder.cloud.project

    @classmethod
    def main(cls, name, *plugins, port=PORT):
        """Runs a series of scenarios, with plugins that a cloud with hosts only does not have."""
        if not processes.runs("keystone"):
            sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
        logging.disable()
        with Trial(name) as trial:
            engine = trial.engine("engine", port, 0, trial.postgres(port + 1).create(), make=Trusted, settings={
                **SETTINGS, "leasehold.openstack.auth-url": IDENTITY, "leasehold.saga.watching": "3s",
                **{"leasehold.plugins.openstack-%s.enabled" % plugin: "true" for plugin in plugins}})
            cls(trial, engine).live()

    def take_back_trusts(self):
        """Deletes the trusts; the product itself may delete one of an earlier lease meanwhile."""
        for trust in trusts_of(self.trustee):
            self.holder.remove("identity", "/OS-TRUST/trusts/" + trust["id"])

    def no_trust_is_left(self):
        """Waits until all trusts are deleted; each is deleted some time after its lease."""
        await_that(lambda: not trusts_of(self.trustee), "no lease leaves a trust behind", patience=120)
        self.count(True, "no lease leaves a trust behind")


class HostLife(Life):
    """Scenarios of hosts; three hosts serve to check whose servers get which host."""

    def __init__(self, trial, engine, choices, hosts=(None, None, None)):
        super().__init__(trial, engine, choices)
        self.isolation = Isolation(trial, choices, hosts)

    def lease(self, name, *hosts, **times):
        return self.ask("POST", "/api/leases", self.wish_for(name, *hosts, **times))["id"]

    def wish_for(self, name, *hosts, before_end=None, **times):
        filters = [["==", "$hypervisor_hostname", host] for host in hosts]
        parameters = {"min": len(hosts), "max": len(hosts), "resource_properties": "",
                      "hypervisor_properties": filters[0] if len(hosts) == 1 else ["or", *filters],
                      "before_end": "snapshot" if before_end else "default"}
        return self.wish("physical:host", parameters, name, before_end=before_end, **times)

    def count_back(self, hosts, reservation):
        self.count(set(hosts) <= set(self.freepool()["hosts"]) and not self.aggregate(reservation),
                   "%s back in the freepool, and there is no aggregate" % (
                       hosts[0] + " is" if len(hosts) == 1 else "all hosts are"), self.freepool())

    def boot(self, things, name, reservation):
        return self.holder.server(things, name, **self.isolation.identity(reservation))

    def tidy(self, before):
        """Removes what a failed scenario left behind, so that the next one begins in the same state."""
        for kind, one in set(self.everything()) - set(before):
            if kind == "aggregates":
                self.remove_aggregate(one)
            elif kind == "servers":
                self.admin.remove("compute", "/servers/" + one)
            else:
                self.admin.remove("image", "/v2/images/" + one)

    def everything(self):
        """Returns everything that leases could leave behind."""
        questions = {"servers": "/servers?all_tenants=1", "aggregates": "/os-aggregates"}
        found = {(what, str(each["id"])): each["name"] for what, path in questions.items()
                 for each in self.admin.cloud.get("compute", path)[what]}
        for image in self.admin.cloud.get("image", "/v2/images")["images"]:
            found["images", image["id"]] = image["name"]
        return found
