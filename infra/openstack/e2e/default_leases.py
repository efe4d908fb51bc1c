"""Scenarios of default leases on the testbed's Nova, requested by the engine and checked as Keystone's users."""

import contextlib

from e2e.servers import MARK, SHELVED, Servers
from testbed import configuration
from testbed.users import await_that

PREFIX = "leasehold.default-leases."


class DefaultLeases(Servers):
    """The scenarios of default leases, one after the other, with one product."""

    def lives(self):
        # Servers of other projects on the testbed are none of the scenario's.
        self.engine.settings.update({PREFIX + "projects": self.project, PREFIX + "grace": "0s",
                                     PREFIX + "polling": "1s", PREFIX + "exempt-metadata": "keep"})
        self.engine.start()
        enrolled = self.enrol_all()
        with contextlib.ExitStack() as things:
            server = self.dry_run(things)
            self.engine.kill()
            self.engine.settings[PREFIX + "enabled"] = "true"
            self.engine.start()
            self.prolong_and_end(things, server)
        self.end_with_the_server()
        self.exempt()
        self.follow_notifications()
        self.ask("DELETE", "/api/resources/%s" % enrolled, user="admin")
        self.no_trust_is_left()

    def dry_run(self, things):
        server = self.up(things)
        found = self.reported(server)
        self.count(found["verdict"] == "affected" and found["project_id"] == self.project,
                   "a dry run lists a server without a lease", found)
        self.count(not self.of(server), "and requests nothing")
        return server

    def prolong_and_end(self, things, server):
        lease = self.awaited(server)
        there = self.server(server)
        self.count(there["status"] == "ACTIVE" and there["metadata"].get(MARK) == self.reservation(lease["id"]),
                   "a server gets a lease, and runs on", there)
        self.count(lease["user_id"] == self.holder.cloud.user and lease["project_id"] == self.project,
                   "the lease is its user's and its project's", lease)
        self.move(lease["id"], end=8)
        self.await_status(lease["id"], "ended")
        self.count(self.server(server)["status"] == SHELVED, "the owner moves the end, and the server is shelved then")
        self.forget_images(things, server)
        await_that(lambda: self.reported(server)["verdict"] == "exempt", "a shelved server is exempt")
        self.count(len(self.of(server)) == 1, "and gets no other lease", self.of(server))

    def end_with_the_server(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.awaited(server)
        # The server is deleted now.
        self.await_status(lease["id"], "ended")
        self.count(True, "the lease of a deleted server ends")

    def exempt(self):
        with contextlib.ExitStack() as things:
            server = self.holder.server(things, "exempt", metadata={"keep": "yes"})
            self.admin.await_server(server, "ACTIVE")
            other = self.up(things)
            lease = self.awaited(other)
            self.count(self.reported(server)["verdict"] == "exempt" and not self.of(server),
                       "a server with the metadata key gets no lease", self.reported(server))
        self.await_status(lease["id"], "ended")

    def follow_notifications(self):
        """Checks that Nova's notifications of a server start a poll; the next one is an hour away."""
        self.engine.stop()
        self.engine.settings.update({
            PREFIX + "polling": "1h",
            "leasehold.openstack.notifications.url": configuration.RABBITMQ.replace("rabbit:", "amqp:")})
        self.engine.start()
        # The engine polls at its start and when it begins to listen: the first two servers may be seen by these polls.
        for _ in range(3):
            with contextlib.ExitStack() as things:
                lease = self.awaited(self.up(things))
            self.await_status(lease["id"], "ended")
        self.count(True, "a notification of a new and of a deleted server starts a poll")

    def awaited(self, server):
        """Returns the default lease of a server, once it is active."""
        await_that(lambda: self.of(server), "a server without a lease gets one")
        lease = self.of(server)[0]
        self.await_status(lease["id"], "active")
        return lease

    def of(self, server):
        return self.named("default-" + server)

    def reported(self, server):
        found = self.ask("GET", "/api/operations/default-leases", user="admin")["servers"]
        return next((each for each in found if each["server_id"] == server), {"verdict": None})


if __name__ == "__main__":
    DefaultLeases.main("default-leases", "servers")
