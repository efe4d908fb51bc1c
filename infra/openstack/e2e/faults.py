"""Leases the testbed's hosts with two nodes while Nova is slow, fails and answers falsely, and while a node dies."""

import collections
import contextlib
import sys
import time

from e2e.life import HostLife, isolating, settings
from e2e.faulty import Faulty
from harness.leases import status
from harness.trial import Trial
from testbed import place, processes
from testbed.isolation import NOBODY
from testbed.rest import IDENTITY
from testbed.services import Choices
from testbed.users import await_that, catch

PORT = 32120
HOSTS = ("compute-005", "compute-006", "compute-007")
KEYSTONE, NOVA = 5000, 8774

# The number of leases of each host, one after the other.
IN_A_ROW = 3

ONE_IN_FIVE = (3, 7, 4, 6, 5)

# Seconds. A fault may happen repeatedly, and each retry waits twice as long.
PATIENCE = 240


class Faults(HostLife):

    def __init__(self, trial, nodes, nova):
        super().__init__(trial, nodes[0], Choices.recorded())
        nodes[1].settings.update(isolating(self.choices))
        self.nodes = nodes
        self.nova = nova

    def lives(self):
        for node in self.nodes:
            node.start()
        enrolled = [self.enrol(name) for name in HOSTS]
        self.under_faults()
        self.away()
        self.lose_a_node()
        self.wake_a_node()
        self.retire(enrolled)
        self.nothing_twice()

    def stop(self):
        for node in self.nodes:
            node.stop()

    def under_faults(self):
        with self.nova.trouble(*Faulty.FAULTS, distances=ONE_IN_FIVE):
            ended = []
            for number in range(IN_A_ROW):
                leases = [self.lease("%s-%d" % (host, number), host) for host in HOSTS]
                # Retries may delay a start, but it succeeds.
                for lease in leases:
                    self.await_status(lease, "active", PATIENCE)
                for lease in leases:
                    self.ask("DELETE", "/api/leases/" + lease)
                for lease in leases:
                    self.await_status(lease, 404, PATIENCE)
                ended += leases
        seen = self.engine.sql("SELECT stream_id, event_type FROM domain_event WHERE event_type IN"
                               " ('LeaseActivated', 'LeaseDeleted')")
        steps = collections.Counter((each["stream_id"], each["event_type"]) for each in seen)
        odd = {lease: step for lease in ended for step in ("LeaseActivated", "LeaseDeleted") if steps[lease, step] != 1}
        self.count(not odd, "%d leases start and end once, whatever Nova does" % len(ended), odd)
        missing = set(Faulty.FAULTS) - set(self.nova.happened)
        self.count(not missing, "it was " + ", ".join("%s %d" % each for each in sorted(self.nova.happened.items())),
                   missing)
        pool = self.admin.freepool()
        self.count(sorted(pool["hosts"]) == list(HOSTS), "all hosts are in the freepool", pool)

    def away(self):
        """Makes Nova unavailable for longer than a client waits for an answer."""
        running, coming = self.lease("running", HOSTS[0]), self.lease("coming", HOSTS[1], start=8)
        self.await_status(running, "active")
        with self.nova.trouble("cut"):
            self.ask("DELETE", "/api/leases/" + running)
            until = time.monotonic() + 20
            slowest = 0.0
            while time.monotonic() < until:
                began = time.monotonic()
                self.ask("GET", "/api/leases")
                slowest = max(slowest, time.monotonic() - began)
                time.sleep(0.2)
            seen = [status(self.engine, lease) for lease in (running, coming)]
            self.count(seen == ["deleting", "to_be_started"], "while Nova is away they wait", seen)
            self.count(slowest < 2, "and each request gets a response, after %.2f s at most" % slowest)
        self.await_status(running, 404, PATIENCE)
        self.await_status(coming, "active", PATIENCE)
        self.count(True, "when it is back they go on")
        self.delete(coming)

    def lose_a_node(self):
        """Kills a node in the middle of a start."""
        with self.nova.trouble("late", late=0.5):
            lease = self.lease("orphaned", *HOSTS)
            lost, self.engine = self.acting(lease)
            lost.kill()
        self.await_status(lease, "active")
        there = self.admin.aggregate(self.reservation(lease))
        self.count(sorted(there["hosts"]) == list(HOSTS)
                   and there["metadata"]["blazar:owner"] == self.holder.cloud.project,
                   "a node dies in the middle of a start, and the other one goes on", there)
        self.delete(lease)
        lost.start()

    def wake_a_node(self):
        """Pauses a node in the middle of an end, and resumes it when another lease has its hosts."""
        lease = self.lease("left", *HOSTS)
        self.await_status(lease, "active")
        with self.nova.trouble("late", late=0.5):
            self.ask("DELETE", "/api/leases/" + lease)
            still, self.engine = self.acting(lease)
            still.pause()
        self.await_status(lease, 404)
        lease = self.lease("next", *HOSTS)
        self.await_status(lease, "active")
        before = self.admin.aggregate(self.reservation(lease))
        still.resume()
        await_that(still.is_ready, "it is back")
        # By then its open calls are done, or refused.
        time.sleep(5)
        after = self.admin.aggregate(self.reservation(lease))
        self.count(after == before and after["metadata"]["blazar:owner"] not in (NOBODY, None),
                   "a node that stood still in the middle of an end takes nothing from the next lease", (before, after))
        self.delete(lease)

    def acting(self, lease):
        """Returns the node that runs an action for the lease, and the other one."""
        reservation = self.reservation(lease)

        def picked():
            found = self.engine.sql("SELECT picked_by FROM plugin_task WHERE picked")
            return found and self.admin.aggregate(reservation) and found[0]["picked_by"]
        name = catch(picked, "a node acts for the lease")
        one, other = self.nodes
        return (one, other) if one.name == name else (other, one)

    def nothing_twice(self):
        made = collections.Counter(body["aggregate"]["name"] for method, path, body in self.nova.changes
                                   if method == "POST" and path.endswith("/os-aggregates"))
        removed = collections.Counter(path for method, path, _ in self.nova.changes if method == "DELETE")
        twice = {what: times for what, times in [*made.items(), *removed.items()] if times > 1}
        self.count(made and not twice, "each of %d aggregates is made once and removed once" % len(made), twice)


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("faults") as trial, contextlib.closing(Faulty(PORT + 4, NOVA)) as nova:
        # The product finds Nova through Keystone, where it gets another address.
        identity = Faulty(PORT + 3, KEYSTONE, {"%s:%d" % (place.LOOPBACK, NOVA): "%s:%d" % (place.LOOPBACK, nova.port)})
        where = settings(IDENTITY.replace(str(KEYSTONE), str(identity.port)))
        postgres = trial.postgres(PORT + 2).create()
        nodes = [trial.engine(name, PORT + number, 0, postgres, settings={**where, "leasehold.node.name": name})
                 for number, name in enumerate(("node-1", "node-2"))]
        with contextlib.closing(identity):
            Faults(trial, nodes, nova).live()


if __name__ == "__main__":
    main()
