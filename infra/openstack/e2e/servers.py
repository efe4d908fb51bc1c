"""Scenarios of leases of servers on the testbed's Nova, requested and checked as Keystone's users."""

import contextlib
import datetime
import json
import os
import uuid

from e2e.life import TrustedLife
from harness.leases import stamp, status
from testbed import zones
from testbed.users import await_that, catch

KIND = "virtual:server"
ZONE = zones.DEFAULT
NAME = "lives-%d" % os.getpid()
MARK = "leasehold:reservation"
SHELVED = "SHELVED_OFFLOADED"


class Servers(TrustedLife):
    """The scenarios of servers, one after the other, with one product."""

    def lives(self):
        self.engine.settings["leasehold.saga.petitions"] = "true"
        self.engine.start()
        enrolled = self.enrol_all()
        self.live_through()
        self.end_by_time()
        self.end_as_is_said()
        self.leave_it_to_the_user()
        self.delete_before_the_start()
        self.be_refused()
        self.wait_for_another_lease()
        self.lease_again()
        self.lease_again_what_its_user_has_shelved()
        self.write_something_else_on_it()
        self.end_without_trust_or_locked()
        self.die_in_a_start()
        self.die_in_an_end()
        self.drift()
        self.ask_on_the_server()
        self.join_on_the_server()
        self.ask_for_nonsense_on_the_server()
        self.ask("DELETE", "/api/resources/%s" % enrolled, user="admin")
        self.no_trust_is_left()

    def enrol_all(self):
        made = self.ask("POST", "/api/resources", {"kind": KIND, "name": ZONE}, user="admin")
        self.count(made["attributes"]["availability_zone"] == ZONE and made["attributes"]["vcpus"] > 0,
                   "a zone is enrolled with the room of its hosts", made)
        answer, text = self.engine.call("admin", "POST", "/api/resources", {"kind": KIND, "name": "nowhere"})
        self.count(answer == 404, "a zone that Nova has not got is not", text)
        return made["id"]

    def live_through(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server, start=600)
            reservation = self.reservation(lease)
            self.admin.await_server(server, SHELVED)
            self.count(status(self.engine, lease) == "inactive",
                       "a server is shelved before its lease starts", status(self.engine, lease))
            owners = [each["owner"] for each in self.images(server)]
            self.count(owners == [self.project], "its image is its user's", owners)
            self.begin(lease)
            self.await_status(lease, "active")
            there = self.server(server)
            self.count(there["status"] == "ACTIVE" and there["metadata"].get(MARK) == reservation,
                       "the start unshelves it", there)
            self.count(not self.images(server), "and the image goes")
            self.delete(lease)
            there = self.server(server)
            self.count(there["status"] == SHELVED and MARK not in there["metadata"], "the end shelves it again", there)

    def end_by_time(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server)
            self.await_status(lease, "active")
            self.move(lease, end=8)
            self.await_status(lease, "ended")
            self.count(self.server(server)["status"] == SHELVED, "its time is over: it is shelved")
            self.delete(lease)

    def end_as_is_said(self):
        for end, then in (("stop", "SHUTOFF"), ("suspend", "SUSPENDED"), ("keep", "ACTIVE"), ("snapshot", SHELVED)):
            with contextlib.ExitStack() as things:
                server = self.up(things)
                lease = self.lease(server)
                reservation = self.reservation(lease)
                self.await_status(lease, "active")
                self.ask("PATCH", "/api/leases/" + lease, {
                    "reservations": [{"id": reservation, "parameters": {"on_end": end}}]})
                self.delete(lease)
                there = self.server(server)
                self.count(there["status"] == then and MARK not in there["metadata"],
                           "on_end=%s leaves it %s" % (end, then.lower()), there)
                taken = [each for each in self.all_images() if each.get("leasehold_reservation") == reservation]
                for each in taken:
                    things.callback(self.admin.remove, "image", "/v2/images/" + each["id"])
                self.count([each["owner"] for each in taken] == ([self.project] if end == "snapshot" else []),
                           "on_end=%s makes %s image" % (end, "an" if end == "snapshot" else "no"), taken)
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server, on_end="delete")
            self.await_status(lease, "active")
            self.delete(lease)
            self.count(self.is_gone(server), "on_end=delete deletes it")

    def leave_it_to_the_user(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server, start=600, on_start="leave")
            self.admin.await_server(server, SHELVED)
            self.begin(lease)
            self.await_status(lease, "active")
            self.count(self.server(server)["status"] == SHELVED, "a start may leave it shelved")
            self.holder.act(server, "unshelve")
            self.admin.await_server(server, "ACTIVE")
            self.delete(lease)
            self.count(self.server(server)["status"] == SHELVED, "and its end shelves it all the same")

    def delete_before_the_start(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server, start=600)
            self.admin.await_server(server, SHELVED)
            self.delete(lease)
            self.holder.act(server, "unshelve")
            self.admin.await_server(server, "ACTIVE")
            self.count(MARK not in self.server(server)["metadata"], "who deletes the lease unshelves the server")

    def be_refused(self):
        with contextlib.ExitStack() as things:
            theirs = self.up(things, self.other)
            for one in (theirs, str(uuid.uuid4())):
                answer, text = self.engine.call("demo", "POST", "/api/leases", self.asked(one))
                self.count("could not be found" in text, "a server that is not the project's is not found",
                           (answer, text))

    def wait_for_another_lease(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            first = self.lease(server, on_end="keep")
            self.await_status(first, "active")
            second = self.lease(server, on_end="keep")
            self.count(self.server(server)["metadata"].get(MARK) == self.reservation(first)
                       and status(self.engine, second) != "active", "a server is not leased twice at a time")
            self.delete(first)
            self.await_status(second, "active", 90)
            self.delete(second)

    def lease_again(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            for time in ("once", "again"):
                lease = self.lease(server)
                self.await_status(lease, "active")
                there = self.server(server)
                self.count(there["status"] == "ACTIVE" and there["OS-EXT-AZ:availability_zone"] == ZONE,
                           "a server is leased " + time, there)
                self.delete(lease)
                self.count(self.server(server)["status"] == SHELVED, "and shelved")

    def lease_again_what_its_user_has_shelved(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            first = self.lease(server)
            self.await_status(first, "active")
            self.holder.act(server, "shelve")
            self.admin.await_server(server, SHELVED)
            self.delete(first)
            self.count(MARK in self.server(server)["metadata"], "what its user shelves keeps its mark")
            second = self.lease(server)
            reservation = self.reservation(second)
            self.await_status(second, "active")
            there = self.server(server)
            self.count(there["status"] == "ACTIVE" and there["metadata"][MARK] == reservation,
                       "which keeps nobody from the next lease", there)
            self.delete(second)
            there = self.server(server)
            self.count(there["status"] == SHELVED and MARK not in there["metadata"], "nor from its end", there)

    def write_something_else_on_it(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            ended = self.lease(server, on_end="keep")
            others = (("an ended lease's", self.reservation(ended)), ("no lease's", str(uuid.uuid4())))
            self.await_status(ended, "active")
            self.delete(ended)
            for whose, written in others:
                lease = self.lease(server)
                self.await_status(lease, "active")
                self.holder.cloud.post("compute", "/servers/%s/metadata" % server, {"metadata": {MARK: written}})
                self.delete(lease)
                there = self.server(server)
                self.count(there["status"] == SHELVED and MARK not in there["metadata"],
                           "a holder who writes %s id on a server does not keep it running" % whose, there)

    def end_without_trust_or_locked(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server)
            self.await_status(lease, "active")
            self.holder.act(server, "lock")
            self.delete(lease)
            self.count(self.server(server)["status"] == SHELVED, "a lock does not keep it from its end")
            self.holder.act(server, "unlock")
            self.holder.act(server, "unshelve")
            self.admin.await_server(server, "ACTIVE")
            self.count(True, "and its owner can unshelve what the engine has shelved")
            self.forget_images(things, server)
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server)
            self.await_status(lease, "active")
            self.take_back_trusts()
            self.delete(lease)
            self.count(self.server(server)["status"] == SHELVED, "who takes the trust back does not keep it running")
            self.forget_images(things, server)

    def die_in_a_start(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server, start=600)
            self.admin.await_server(server, SHELVED)
            self.begin(lease)
            catch(lambda: self.server(server)["OS-EXT-STS:task_state"] or
                  self.server(server)["status"] == "ACTIVE", "the start has begun")
            self.engine.kill()
            self.engine.start()
            self.await_status(lease, "active")
            self.count(self.server(server)["status"] == "ACTIVE", "the product is killed in a start, which goes on")
            self.delete(lease)

    def die_in_an_end(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server)
            self.await_status(lease, "active")
            self.ask("DELETE", "/api/leases/" + lease)
            catch(lambda: MARK not in self.server(server)["metadata"], "the end has begun")
            self.engine.kill()
            self.engine.start()
            self.await_status(lease, 404)
            self.count(self.server(server)["status"] == SHELVED, "and in an end, which goes on, too")

    def drift(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            lease = self.lease(server)
            self.await_status(lease, "active")
            reservation = self.reservation(lease)
            self.count(not any(self.drifted().values()), "the cloud is as it should be")
            self.holder.cloud.delete("compute", "/servers/%s/metadata/%s" % (server, MARK))
            self.count(self.drifted()["missing"] == [
                {"kind": KIND, "lease_id": lease, "reservation_id": reservation}], "a mark that is removed is missed")
            self.delete(lease)
            self.count(self.server(server)["status"] == SHELVED, "and the end finds the server without it")

    def ask_on_the_server(self):
        with contextlib.ExitStack() as things:
            name = "booted-%d" % os.getpid()
            start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=10)
            server = self.holder.server(things, NAME, metadata={"lease_params": json.dumps({
                "name": name, "start": stamp(start), "end": stamp(start + datetime.timedelta(minutes=30))})})
            await_that(lambda: self.named(name), "a server that boots with lease_params gets a lease")
            lease = self.named(name)[0]
            self.count(lease["user_id"] == self.holder.cloud.user and lease["project_id"] == self.project,
                       "it is its user's and its project's", lease)
            self.admin.await_server(server, SHELVED)
            launched = datetime.datetime.fromisoformat(self.server(server)["OS-SRV-USG:launched_at"] + "+00:00")
            ran = datetime.datetime.now(datetime.timezone.utc) - launched
            print("          it ran for %.0f s before it was shelved" % ran.total_seconds(), flush=True)
            self.begin(lease["id"])
            self.await_status(lease["id"], "active")
            there = self.server(server)
            self.count(there["metadata"].get(MARK) == self.reservation(lease["id"]) and "lease_error" not in there[
                "metadata"], "and is like any other without a trust", there)
            self.ask("POST", "/api/leases/%s/end" % lease["id"])
            self.await_status(lease["id"], "ended")
            self.count(self.server(server)["status"] == SHELVED and len(self.named(name)) == 1,
                       "at its end the server is shelved, and not leased again")
            self.delete(lease["id"])
            self.forget_images(things, server)

    def join_on_the_server(self):
        with contextlib.ExitStack() as things:
            first, second, third = (self.up(things) for _ in range(3))
            lease = self.lease(first)
            self.await_status(lease, "active")
            self.write(second, lease_id=lease)
            await_that(lambda: MARK in self.server(second)["metadata"], "a server joins the lease that it names")
            self.await_status(lease, "active")
            self.ask("PATCH", "/api/leases/" + lease, {
                "further": [{"kind": KIND, "parameters": {"server_id": third}}]})
            self.await_status(lease, "active")
            marks = [self.server(each)["metadata"].get(MARK) for each in (first, second, third)]
            reservations = [each["id"] for each in self.ask("GET", "/api/leases/" + lease)["reservations"]]
            self.count(marks == reservations, "and another one that is asked for", (marks, reservations))
            self.delete(lease)
            states = [self.server(each)["status"] for each in (first, second, third)]
            self.count(states == [SHELVED] * 3, "all end together", states)
            for each in (first, second, third):
                self.forget_images(things, each)

    def ask_for_nonsense_on_the_server(self):
        with contextlib.ExitStack() as things:
            server = self.up(things)
            theirs = self.asked(self.up(things, self.other), start=200)
            others = self.ask("POST", "/api/leases", theirs, user="other")["id"]
            for words, answer in (({"lease_id": str(uuid.uuid4())}, "There is no lease"),
                                  ({"lease_id": others}, "There is no lease"),
                                  ({"lease_id": "mine"}, "lease_id is no lease's id")):
                self.write(server, **words)
                await_that(lambda: self.server(server)["metadata"].get("lease_error", "").startswith(answer),
                           "what is wrong with %s is written beside it" % words)
            self.count(self.server(server)["status"] == "ACTIVE", "and nothing is done", self.server(server))
            self.ask("DELETE", "/api/leases/" + others, user="other")

    def write(self, server, **metadata):
        self.holder.cloud.post("compute", "/servers/%s/metadata" % server, {"metadata": metadata})

    def named(self, name):
        return [each for each in self.ask("GET", "/api/leases?limit=1000")["leases"] if each["name"] == name]

    def drifted(self):
        return self.ask("GET", "/api/operations/drift", user="admin")

    def up(self, things, user=None):
        server = (user or self.holder).server(things, NAME)
        self.admin.await_server(server, "ACTIVE")
        return server

    def asked(self, server, start=0, length=1800, **what):
        return self.wish(KIND, {"server_id": server, **what}, "lives", start=start, length=length)

    def lease(self, server, **what):
        return self.ask("POST", "/api/leases", self.asked(server, **what))["id"]

    def begin(self, lease):
        """Moves the start forward: only a lease that starts minutes later shelves its server before the start."""
        self.move(lease, start=8)

    def server(self, server):
        return self.admin.cloud.get("compute", "/servers/" + server)["server"]

    def all_images(self):
        return self.admin.cloud.get("image", "/v2/images")["images"]

    def forget_images(self, things, server):
        """Registers the removal of the server's images: the engine owns them, so unshelving or deletion keeps them."""
        for each in self.images(server):
            things.callback(self.admin.remove, "image", "/v2/images/" + each["id"])

    def images(self, server):
        """Returns the images that shelving the server has made."""
        name = self.server(server)["name"] + "-shelved"
        return [each for each in self.all_images() if each["name"] == name]

    def everything(self):
        """Returns everything that leases could leave behind."""
        found = {("servers", each["id"]): each["name"]
                 for each in self.admin.cloud.get("compute", "/servers?all_tenants=1")["servers"]}
        found.update((("images", each["id"]), each["name"]) for each in self.all_images())
        return found

    def tidy(self, before):
        for kind, one in set(self.everything()) - set(before):
            if kind == "servers":
                self.admin.remove("compute", "/servers/" + one)
            else:
                self.admin.remove("image", "/v2/images/" + one)


if __name__ == "__main__":
    Servers.main("servers", "servers")
