"""Scenarios of leases of hosts on the testbed's Nova, checked as users and operators see them."""

import contextlib
import sys
import uuid

from e2e.life import HostLife, modes, openstack, settings
from harness.leases import status
from harness.trial import Trial
from testbed import configuration, database, lifecycle, place, processes, zones
from testbed.isolation import NOBODY
from testbed.rest import Refused
from testbed.users import await_that, catch

PORT = 32100

# The last host has a separate process, which can be killed alone.
ENROLLED = ("compute-001", "compute-002", "compute-003", "compute-004")
ORDINARY = "compute-006"
MORTAL, ITS_PROCESS = "compute-008", "nova-compute-2"


class Hosts(HostLife):
    """The scenarios of hosts, one after the other."""

    def __init__(self, trial, engine, choices, usual=True):
        super().__init__(trial, engine, choices, ENROLLED[:3])
        self.usual = usual

    def lives(self):
        self.engine.start()
        enrolled = [self.enrol(name) for name in (*ENROLLED, MORTAL)]
        self.use()
        if self.usual:
            self.end_by_time()
            self.die_in_a_start()
            self.die_in_an_end()
            self.lose_a_host()
            self.hear_of_a_host()
            self.shrink_a_host()
        self.drift()
        self.squat()
        self.retire(enrolled)

    def use(self):
        """Checks a lease from before its start to its deletion."""
        lease = self.lease("mine", ENROLLED[1], start=600)
        reservation = self.reservation(lease)
        other = self.lease("another", ENROLLED[2])
        self.await_status(other, "active")
        self.count(status(self.engine, lease) == "inactive" and not self.gets_on(ENROLLED[1], reservation),
                   "before the start its holder gets no host")
        self.move(lease, start=8)
        self.await_status(lease, "active")
        self.follow_to_nova(lease)
        shown = openstack("aggregate", "show", reservation)
        project = self.holder.cloud.project
        owner = {"blazar:owner": project, **({} if self.choices.filter else {"filter_tenant_id": project})}
        self.count(shown["hosts"] == [ENROLLED[1]] and shown["availability_zone"] == "blazar_" + reservation
                   and shown["properties"] == owner, "the reservation is an aggregate, with zone and owner", shown)
        pool = openstack("aggregate", "show", "freepool")
        self.count(sorted(pool["hosts"]) == [ENROLLED[0], ENROLLED[3], MORTAL] and not pool["availability_zone"]
                   and pool["properties"] == ({} if self.choices.filter else {
                       "filter_tenant_id": NOBODY, "trait:CUSTOM_RESERVABLE": "required"}),
                   "the freepool has the others", pool)
        self.isolation.names = [reservation, self.reservation(other)]
        self.isolation.servers()
        with contextlib.ExitStack() as things:
            server = self.boot(things, "mine", reservation)
            self.count(self.admin.await_server(server, "ACTIVE") == ENROLLED[1], "its holder's server runs on it")
            self.delete(lease)
            self.count(self.is_gone(server), "its end deletes the server")
        self.count_back([ENROLLED[1]], reservation)
        self.delete(other)

    def follow_to_nova(self, lease):
        call = self.ask("GET", "/api/audit/calls?lease=" + lease, user="admin")["calls"][0]
        with open(place.log("nova-api"), encoding="utf-8", errors="replace") as log:
            self.count((call["action"], call["fault"]) == ("start", None) and call["request_id"] in log.read(),
                       "Nova's log names the request that an auditor finds with the lease", call)

    def end_by_time(self):
        lease = self.lease("short", ENROLLED[0], before_end=1700)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            server = self.boot(things, "precious", reservation)
            self.admin.await_server(server, "ACTIVE")
            self.move(lease, before_end=3, end=25)
            self.await_status(lease, "ended")
            self.count(self.is_gone(server), "its time is over, and the server gone")
            images = self.admin.cloud.get("image", "/v2/images?leasehold_server=" + server)["images"]
            for image in images:
                things.callback(self.admin.remove, "image", "/v2/images/" + image["id"])
            self.count([(image["name"], image["status"]) for image in images] == [("reserved_precious", "active")],
                       "one image was made of it", images)
            shared = self.holder.cloud.get("image", "/v2/images/" + images[0]["id"])
            self.count(shared["name"] == "reserved_precious", "its project can use the image")
        self.count_back([ENROLLED[0]], reservation)
        self.delete(lease)

    def die_in_a_start(self):
        lease = self.lease("interrupted", *ENROLLED)
        reservation = self.reservation(lease)
        catch(lambda: self.admin.aggregate(reservation), "the start has begun")
        self.engine.kill()
        there = self.admin.aggregate(reservation)
        self.count(len(there["hosts"]) < len(ENROLLED) or there["metadata"].get("blazar:owner") == NOBODY,
                   "the product is killed in the middle of a start, the reservation not open", there)
        self.engine.start()
        self.await_status(lease, "active")
        there = self.admin.aggregate(reservation)
        self.count(sorted(there["hosts"]) == list(ENROLLED) and self.admin.freepool()["hosts"] == [MORTAL]
                   and there["metadata"]["blazar:owner"] == self.holder.cloud.project,
                   "the next start goes on, and the lease gets all of its hosts", there)
        self.delete(lease)
        self.count_back(ENROLLED, reservation)

    def die_in_an_end(self):
        lease = self.lease("cut-short", *ENROLLED)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            servers = [self.boot(things, "busy-%d" % number, reservation) for number in range(4)]
            for server in servers:
                self.admin.await_server(server, "ACTIVE")
            self.ask("DELETE", "/api/leases/" + lease)
            catch(lambda: self.admin.aggregate(reservation)["metadata"]["blazar:owner"] == NOBODY, "the end has begun")
            self.engine.kill()
            self.count(self.admin.aggregate(reservation), "the product is killed in the middle of an end")
            self.engine.start()
            self.await_status(lease, 404)
            left = [server for server in servers if not self.is_gone(server)]
            self.count(not left, "the next start ends it, with all servers", left)
        self.count_back(ENROLLED, reservation)

    def lose_a_host(self):
        lease = self.lease("ill-fated", MORTAL)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        with contextlib.ExitStack() as things:
            server = self.boot(things, "doomed", reservation)
            self.admin.await_server(server, "ACTIVE")
            with self.compute_service_dead():
                self.delete(lease, patience=180)
                self.count(self.is_gone(server), "a host that has died is taken back, its server deleted")
                self.count_back([MORTAL], reservation)
                await_that(lambda: not self.reservable(MORTAL), "the product knows that the host is down")
                wish = self.wish_for("premature", MORTAL)
                self.count(self.engine.call("demo", "POST", "/api/leases", wish)[0] == 409,
                           "a host that is down is not promised")
        await_that(lambda: self.reservable(MORTAL), "the product knows that the host is up")
        lease = self.lease("cured", MORTAL)
        self.await_status(lease, "active")
        self.count(self.admin.aggregate(self.reservation(lease))["hosts"] == [MORTAL], "when it is back, it is given")
        self.delete(lease)

    def hear_of_a_host(self):
        """Checks that the engine follows Nova's notifications of a host's service; the next poll is an hour away."""
        polled = dict(self.engine.settings)
        self.engine.stop()
        self.engine.settings.update({
            "leasehold.saga.watching": "1h",
            "leasehold.openstack.notifications.url": configuration.RABBITMQ.replace("rabbit:", "amqp:")})
        self.engine.start()
        try:
            # The engine polls at its start and when it begins to listen: it may see two of these by polls.
            for status in ("disabled", "enabled", "disabled"):
                self.set_service(status)
                self.await_reservable(status == "enabled")
            self.count(self.engine.call("demo", "POST", "/api/leases", self.wish_for("unheard", MORTAL))[0] == 409,
                       "a host whose service is disabled is not promised from that moment")
        finally:
            self.set_service("enabled")
            self.engine.stop()
            self.engine.settings = polled
        self.engine.start()
        self.await_reservable(True)

    def set_service(self, status):
        found = self.admin.cloud.get("compute", "/os-services?binary=nova-compute&host=" + MORTAL)["services"]
        self.admin.cloud.put("compute", "/os-services/" + found[0]["id"], {"status": status})

    def await_reservable(self, wanted):
        await_that(lambda: self.reservable(MORTAL) == wanted, "the product knows whether the host is in service", 10)

    def shrink_a_host(self):
        """Checks that a shrunken host stays in its lease, and that no new lease is granted its former size."""
        large = self.resource(ENROLLED[3])["attributes"]["memory_mb"]
        wish = self.wish_for("large", ENROLLED[3])
        parameters = wish["reservations"][0]["parameters"]
        parameters["hypervisor_properties"] = ["and", parameters["hypervisor_properties"],
                                               [">=", "$memory_mb", str(large)]]
        lease = self.ask("POST", "/api/leases", wish)["id"]
        self.await_status(lease, "active")
        self.give_memory(ENROLLED[3], large // 2)
        try:
            await_that(lambda: self.resource(ENROLLED[3])["attributes"]["memory_mb"] == large // 2,
                       "the product knows that the host has less memory")
            there = self.admin.aggregate(self.reservation(lease))
            self.count(there["hosts"] == [ENROLLED[3]], "a lease keeps a host that has become smaller", there)
            self.delete(lease)
            self.count(self.engine.call("demo", "POST", "/api/leases", wish)[0] == 409,
                       "it is not promised as what it was")
        finally:
            self.give_memory(ENROLLED[3], large)
        await_that(lambda: self.resource(ENROLLED[3])["attributes"]["memory_mb"] == large,
                   "the product knows that the host has its memory again")

    @staticmethod
    def give_memory(host, mib):
        """Changes a host's memory in Nova's database; the compute service reports only its own changes."""
        database.ask("UPDATE nova.compute_nodes SET memory_mb = %d WHERE hypervisor_hostname = '%s' AND deleted = 0"
                     % (mib, host))

    def reservable(self, name):
        return self.resource(name)["reservable"]

    def resource(self, name):
        found = self.ask("GET", "/api/resources", user="admin")["resources"]
        return next(each for each in found if each["name"] == name)

    def drift(self):
        """Checks drift: a lease loses a resource, and an aggregate names a lease that does not exist."""
        lease = self.lease("robbed", ENROLLED[0])
        self.await_status(lease, "active")
        reservation = self.reservation(lease)
        found = self.ask("GET", "/api/operations/drift", user="admin")
        self.count(not any(found.values()), "the cloud is as it should be", found)
        own = self.admin.aggregate(reservation)
        self.admin.cloud.post("compute", "/os-aggregates/%s/action" % own["id"], {"remove_host": {"host": ENROLLED[0]}})
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % own["id"])
        found = self.ask("GET", "/api/operations/drift", user="admin")
        self.count(found["missing"] == [{"kind": "physical:host", "lease_id": lease, "reservation_id": reservation}]
                   and not found["leftovers"], "a host that was taken from a lease is named", found)
        await_that(lambda: self.ask("GET", "/api/leases/" + lease, user="admin")["degraded"], "the lease says that it lacks its host")
        why = self.ask("GET", "/api/leases/" + lease, user="admin")["explanation"]
        self.count(ENROLLED[0] in (why or ""), "and its explanation names the host", why)
        retry = "/api/operations/leases/%s/retry" % lease
        # For a moment, the lease shows the outage of its host and has not recorded it yet.
        await_that(lambda: self.engine.call("admin", "POST", retry)[0] < 300, "the lease accepts a retry")
        await_that(lambda: (self.admin.aggregate(reservation) or {"hosts": []})["hosts"] == [ENROLLED[0]],
                   "the lease has its host once more")
        await_that(lambda: not self.ask("GET", "/api/leases/" + lease, user="admin")["degraded"],
                   "it lacks nothing any more")
        self.count(not any(self.ask("GET", "/api/operations/drift", user="admin").values()),
                   "and the cloud is as it should be again")
        self.delete(lease)
        stray = str(uuid.uuid4())
        with contextlib.ExitStack() as things:
            self.isolation.aggregate(things, stray, ENROLLED[0], zone="blazar_" + stray)
            found = self.ask("GET", "/api/operations/drift", user="admin")
            self.count(found["leftovers"] == [{"kind": "physical:host", "reservation_id": stray,
                                               "things": ["aggregate/" + stray, "host/" + ENROLLED[0]]}],
                       "and what no lease has left", found)

    def squat(self):
        """Checks drift: a server runs on a leasable host outside of any lease, as if it had outlived one."""
        stranger = self.isolation.stranger
        with contextlib.ExitStack() as things:
            server = stranger.server(things, "squatter", where=ORDINARY, **zones.ANYWHERE)
            self.isolation.await_host(stranger, server)
            self.count(not any(self.ask("GET", "/api/operations/drift", user="admin").values()),
                       "on an ordinary host it is nobody's business")
            actions = "/os-aggregates/%s/action" % self.admin.freepool()["id"]
            self.admin.cloud.post("compute", actions, {"add_host": {"host": ORDINARY}})
            things.callback(self.admin.cloud.post, "compute", actions, {"remove_host": {"host": ORDINARY}})
            found = self.ask("GET", "/api/operations/drift", user="admin")
            self.count(found["squatters"] == [
                {"kind": "physical:host", "id": server, "name": "squatter", "resource": ORDINARY,
                 "project_id": stranger.cloud.project, "reservation_id": None}], "in the freepool it is named", found)

    @contextlib.contextmanager
    def compute_service_dead(self):
        with lifecycle.alone():
            lifecycle.stop([ITS_PROCESS], kill=True)
        try:
            yield
        finally:
            with lifecycle.alone():
                lifecycle.start(self.choices, [ITS_PROCESS])
            await_that(lambda: self.state(MORTAL) == "up", "Nova knows that the host is up")

    def state(self, host):
        return next(each["state"] for each in self.admin.cloud.get("compute", "/os-hypervisors/detail")["hypervisors"]
                    if each["hypervisor_hostname"] == host)

    def gets_on(self, host, reservation):
        """Returns true if the holder gets the host; administrators may choose it, so that only filters refuse it."""
        holder = self.isolation.holder
        with contextlib.ExitStack() as things:
            try:
                server = holder.server(things, "early", where=host, **self.isolation.identity(reservation))
            except Refused as refused:  # The zone does not exist yet.
                if refused.status != 400:
                    raise
                return False
            return self.isolation.await_host(holder, server) is not None


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("hosts") as trial:
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), settings={
            **settings(), "leasehold.saga.watching": "3s"})
        for choices, usual in modes():
            with lifecycle.mode(choices):
                Hosts(trial, engine, choices, usual).live()


if __name__ == "__main__":
    main()
