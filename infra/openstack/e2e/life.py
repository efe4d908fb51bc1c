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

# Possible leftovers of hosts and instances, in the order of their removal: the service, the path that lists them, and
# the field that identifies them.
LEFTOVERS = {
    "servers": ("compute", "/servers?all_tenants=1", "id"),
    "server groups": ("compute", "/os-server-groups?all_projects=1", "id"),
    "flavors": ("compute", "/flavors?is_public=None", "id"),
    "resource classes": ("placement", "/resource_classes", "name"),
    "aggregates": ("compute", "/os-aggregates", "id"),
    "images": ("image", "/v2/images", "id"),
}

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


def trusts_of(trustee, known=()):
    """Returns the trusts of a trustee, mostly the product's user, without those of known ids."""
    found = trustee.cloud.get("identity", "/OS-TRUST/trusts?trustee_user_id=" + trustee.cloud.user)["trusts"]
    return [trust for trust in found if trust["id"] not in known]


def remove_trusts(trustee, trustor, known=()):
    """Deletes the trusts, without those of known ids; the product itself may delete one meanwhile."""
    for trust in trusts_of(trustee, known):
        trustor.remove("identity", "/OS-TRUST/trusts/" + trust["id"])


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

    # The kinds of LEFTOVERS that the scenarios may leave.
    kinds = ()

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
        await_that(lambda: name in self.admin.freepool()["hosts"], name + " is in the freepool")
        return made["id"]

    def retire(self, enrolled):
        """Retires all hosts of the freepool, and deletes the freepool."""
        for resource in enrolled:
            self.ask("DELETE", "/api/resources/%s" % resource, user="admin")
        await_that(lambda: not self.admin.freepool()["hosts"], "the freepool is empty")
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.admin.freepool()["id"])

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

    def everything(self):
        """Returns everything that leases could leave behind; the hosts' providers in Placement stay, and are empty."""
        return {(kind, str(each[LEFTOVERS[kind][-1]])): each["name"]
                for kind in self.kinds for each in self.all_of(kind)}

    def all_of(self, kind):
        service, path, _ = LEFTOVERS[kind]
        return self.admin.cloud.get(service, path)[kind.replace(" ", "_")]

    def tidy(self, before):
        """Removes what a failed scenario left behind, so that the next one begins in the same state."""
        left = set(self.everything()) - set(before)
        for kind, (service, path, _) in LEFTOVERS.items():
            for one in [each for what, each in left if what == kind]:
                if kind == "aggregates":
                    self.admin.remove_aggregate(one)
                elif kind == "resource classes":
                    self.remove_class(one)
                else:
                    self.admin.remove(service, "%s/%s" % (path.split("?")[0], one))

    def exists(self, reservation):
        """Returns true if the cloud has a server group, flavor, resource class or aggregate of a reservation."""
        name = "CUSTOM_RESERVATION_" + reservation.upper().replace("-", "_")
        return (self.has_group(reservation) or self.admin.cloud.exists("compute", "/flavors/" + reservation)
                or self.admin.cloud.exists("placement", "/resource_classes/" + name)
                or self.admin.aggregate(reservation) is not None)

    def has_group(self, reservation):
        return "reservation:" + reservation in [each["name"] for each in self.all_of("server groups")]

    def remove_class(self, name):
        """Removes a resource class, and its inventories of all hosts."""
        for provider in self.admin.cloud.get("placement", "/resource_providers")["resource_providers"]:
            if provider["name"].startswith("blazar_"):
                with contextlib.suppress(Gone):
                    self.admin.delete("placement", "/resource_providers/%s/inventories/%s" % (provider["uuid"], name))
        self.admin.remove("placement", "/resource_classes/" + name)

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
        """Deletes the trusts of the leases."""
        remove_trusts(self.trustee, self.holder)

    def no_trust_is_left(self):
        """Waits until all trusts are deleted; each is deleted some time after its lease."""
        await_that(lambda: not trusts_of(self.trustee), "no lease leaves a trust behind", patience=120)
        self.count(True, "no lease leaves a trust behind")


class HostLife(Life):
    """Scenarios of hosts; three hosts serve to check whose servers get which host."""

    kinds = ("servers", "aggregates", "images")

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
        pool = self.admin.freepool()
        self.count(set(hosts) <= set(pool["hosts"]) and not self.admin.aggregate(reservation),
                   "%s back in the freepool, and there is no aggregate" % (
                       hosts[0] + " is" if len(hosts) == 1 else "all hosts are"), pool)

    def boot(self, things, name, reservation):
        return self.holder.server(things, name, **self.isolation.identity(reservation))
