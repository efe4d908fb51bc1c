"""Checks which users may run servers on which hosts, in each of the two modes.

A reservation's aggregate has a zone of its own and names its project. With Leasehold's filter in Nova, a hint
that names the reservation opens its hosts. Without any plug-in its zone does, for the project that
`filter_tenant_id` names; the freepool then belongs to no existing project.
"""

import contextlib
import os

from testbed.users import User, await_that

NOBODY = "0" * 32

# Nova shows it as the zone of all hosts that are in none.
NO_ZONE = {"availability_zone": "nova"}


class Isolation:
    def __init__(self, trial, choices, hosts):
        """The hosts are three that are in no aggregate."""
        self.trial = trial
        self.filter = choices.filter
        self.idle, self.leased, self.second = hosts
        self.admin = User("admin")
        # An administrator may choose the host, so that only the filters refuse it.
        self.holder = User("admin", "demo")
        self.stranger = User("admin", "other")
        self.names = ["check-%d-%s" % (os.getpid(), which) for which in ("one", "two")]

    def run(self):
        with contextlib.ExitStack() as things:
            self.aggregate(things, "freepool", self.idle, **({} if self.filter else {"filter_tenant_id": NOBODY}))
            for name, host in zip(self.names, (self.leased, self.second)):
                project = self.holder.cloud.project
                self.aggregate(things, name, host, zone="blazar_" + name, **{
                    "blazar:owner": project, **({} if self.filter else {"filter_tenant_id": project})})
            self.servers()

    def servers(self):
        mode = "with the filter: " if self.filter else "without plug-in: "
        one, two = (self.identity(name) for name in self.names)
        refused = {
            "an ordinary server gets no host that may be leased": (self.holder, self.idle, {}),
            "nor does one with the identity of a reservation that has not got it": (self.holder, self.idle, one),
            "the holder's ordinary server gets no leased host": (self.holder, self.leased, {}),
            "nor does one that names the zone nova": (self.holder, self.idle, NO_ZONE),
            "a stranger who names the zone nova gets no leased host": (self.stranger, self.leased, NO_ZONE),
            "a stranger with the reservation's identity gets no leased host": (self.stranger, self.leased, one),
            "another reservation of the holder does not open it": (self.holder, self.leased, two),
        }
        with contextlib.ExitStack() as things:
            wanted = User("demo").server(things, "check-holder", **one)
            ordinary = User("demo").server(things, "check-ordinary")
            unwanted = {what: (user, user.server(things, "check-unwanted", where=host, **identity))
                        for what, (user, host, identity) in refused.items()}
            host = self.await_host(self.admin, wanted)
            self.trial.count(host == self.leased, mode + "the holder runs on the leased host", host)
            host = self.await_host(self.admin, ordinary)
            self.trial.count(host and host not in (self.idle, self.leased, self.second),
                             mode + "an ordinary server runs on an ordinary host", host)
            for what, (user, server) in unwanted.items():
                host = self.await_host(user, server)
                self.trial.count(host is None, mode + what, host)

    def identity(self, name):
        return {"hints": {"reservation": name}} if self.filter else {"availability_zone": "blazar_" + name}

    @staticmethod
    def await_host(user, server):
        """Returns the server's host, or None if it got none."""
        def decided():
            found = user.cloud.get("compute", "/servers/" + server)["server"]
            return found if found["status"] in ("ACTIVE", "ERROR") else None
        return await_that(decided, "server %s has a host or none" % server)["OS-EXT-SRV-ATTR:host"]

    def aggregate(self, things, name, host, zone=None, **metadata):
        made = self.admin.make(things, "compute", "/os-aggregates", "aggregate",
                               {"name": name, **({"availability_zone": zone} if zone else {})})
        action = "/os-aggregates/%s/action" % made["id"]
        if metadata:
            self.admin.cloud.post("compute", action, {"set_metadata": {"metadata": metadata}})
        self.admin.cloud.post("compute", action, {"add_host": {"host": host}})
        things.callback(self.admin.cloud.post, "compute", action, {"remove_host": {"host": host}})
