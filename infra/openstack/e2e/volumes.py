"""Scenarios of leases of volumes on the testbed's Cinder, requested and checked as Keystone's users."""

import contextlib
import os
import uuid

from e2e.life import TrustedLife
from harness.leases import status
from testbed.users import await_that, catch

KIND = "virtual:volume"
TYPE = "lives-%d" % os.getpid()
MARK = "leasehold:reservation"


class Volumes(TrustedLife):
    """The scenarios of volumes, one after the other, with one product."""

    def lives(self):
        self.engine.start()
        with contextlib.ExitStack() as things:
            self.admin.make(things, "block-storage", self.path("types", self.admin), "volume_type", {
                "name": TYPE, "extra_specs": {"volume_backend_name": "standard"}})
            enrolled = self.enrol_all()
            self.use()
            self.end_by_time()
            self.lease_their_own()
            self.end_whatever_its_servers_do()
            self.end_without_trust()
            self.die_in_a_start()
            self.die_in_an_end()
            self.drift()
            self.ask("DELETE", "/api/resources/%s" % enrolled, user="admin")
            self.no_trust_is_left()

    def enrol_all(self):
        made = self.ask("POST", "/api/resources", {"kind": KIND, "name": TYPE}, user="admin")
        self.count(made["attributes"]["volume_type"] == TYPE and 0 < made["attributes"]["VOLUME_GB"] <= 10000,
                   "a type of volumes is enrolled with the room that its backend has", made)
        answer, text = self.engine.call("admin", "POST", "/api/resources", {"kind": KIND, "name": "lead"})
        self.count(answer == 404, "a type that Cinder has not got is not", text)
        return made["id"]

    def use(self):
        """Checks a lease from before its start to its deletion."""
        with contextlib.ExitStack() as things:
            lease = self.lease("data", start=600)
            reservation = self.reservation(lease)
            self.count(not self.of(reservation), "before the start there is none")
            self.move(lease, start=8)
            self.await_status(lease, "active")
            mine = self.of(reservation)[0]
            self.count((mine["volume_type"], mine["size"], mine["name"]) == (TYPE, 10, "data")
                       and mine["status"] == "available" and mine["os-vol-tenant-attr:tenant_id"] == self.project
                       and mine["user_id"] == self.holder.cloud.user,
                       "the volume is its user's, of the type and the size that were asked for", mine)
            self.count(not self.other.cloud.exists("block-storage", self.path("volumes/" + mine["id"], self.other)),
                       "a stranger does not see it")
            shown = self.ask("GET", "/v1/leases/" + lease)["lease"]["reservations"][0]
            self.count(shown["volume_id"] == mine["id"], "the response has the id of the volume", shown)
            answer, text = self.engine.call("other", "POST", "/api/leases", self.asked("much", size=9999))
            self.count(answer == 409 and "shortages" in text, "what is left of the type is not enough for others", text)
            server = self.attached(things, mine["id"])
            self.change(lease, reservation, size=12)
            await_that(lambda: self.of(reservation)[0]["size"] == 12, "the volume has grown")
            self.count(self.of(reservation)[0]["status"] == "in-use", "it grows while it is attached")
            answer, text = self.engine.call("demo", "PATCH", "/api/leases/" + lease, {
                "reservations": [{"id": reservation, "parameters": {"size": 11}}]})
            self.count(answer == 400 and "never shrinks" in text, "and never shrinks", text)
            self.holder.make(things, "block-storage", self.path("snapshots"), "snapshot", {
                "volume_id": mine["id"], "name": "lives", "force": True})
            self.delete(lease)
            self.count(not self.exists(mine["id"]) and not self.snapshots(mine["id"]),
                       "its end deletes it with its snapshots")
            still = self.admin.cloud.get("compute", "/servers/" + server)["server"]["status"]
            self.count(still == "ACTIVE", "the server goes on without it", still)

    def end_by_time(self):
        with contextlib.ExitStack() as things:
            lease = self.lease("short", on_end="snapshot")
            reservation = self.reservation(lease)
            self.await_status(lease, "active")
            mine = self.of(reservation)[0]["id"]
            things.callback(self.holder.remove, "block-storage", self.path("volumes/" + mine))
            self.attached(things, mine)
            self.move(lease, end=8)
            self.await_status(lease, "ended")
            left = self.volume(mine)
            taken = self.snapshots(mine)
            for each in taken:
                things.callback(self.holder.remove, "block-storage", self.path("snapshots/" + each["id"]))
            self.count(left["status"] == "available" and MARK not in left["metadata"],
                       "its time is over: it is detached, and its project's alone", left)
            whose = [(each["metadata"].get(MARK), each["os-extended-snapshot-attributes:project_id"]) for each in taken]
            self.count(whose == [(reservation, self.project)], "there is a snapshot of the project's", taken)
            self.delete(lease)

    def lease_their_own(self):
        with contextlib.ExitStack() as things:
            mine = self.holder.make(things, "block-storage", self.path("volumes"), "volume", {
                "name": "lives-own", "size": 1})["id"]
            await_that(lambda: self.volume(mine)["status"] == "available", "the volume is there")
            wish = self.wish(KIND, {"volume_id": mine}, "own")
            lease = self.ask("POST", "/api/leases", wish)["id"]
            self.await_status(lease, "active")
            self.count(self.volume(mine)["metadata"].get(MARK) == self.reservation(lease),
                       "a volume that the project has is leased")
            following = self.ask("POST", "/api/leases", dict(wish, name="following"))["id"]
            self.attached(things, mine)
            self.count(self.volume(mine)["metadata"].get(MARK) == self.reservation(lease)
                       and status(self.engine, following) != "active", "and not twice at a time")
            self.delete(lease)
            self.await_status(following, "active")
            left = self.volume(mine)
            self.count(left["status"] == "available" and left["metadata"].get(MARK) == self.reservation(following),
                       "its end detaches it, and the next lease of it begins", left)
            self.delete(following)
            self.count(not self.volume(mine)["metadata"].get(MARK), "it stays its project's")
        with contextlib.ExitStack() as things:
            theirs = self.other.make(things, "block-storage", self.path("volumes", self.other), "volume", {
                "name": "lives-theirs", "size": 1})["id"]
            lease = self.ask("POST", "/api/leases", self.wish(KIND, {"volume_id": theirs}, "theirs"))["id"]
            self.await_status(lease, "error")
            self.count(not self.volume(theirs)["metadata"], "another project's is not touched")
            self.delete(lease)

    def end_whatever_its_servers_do(self):
        """Checks ends with servers that are suspended, shelved, another user's, or delete the volume they boot."""
        with contextlib.ExitStack() as things:
            for action, then in (("suspend", "SUSPENDED"), ("shelve", "SHELVED_OFFLOADED")):
                lease = self.lease(action)
                self.await_status(lease, "active")
                mine = self.of(self.reservation(lease))[0]["id"]
                server = self.attached(things, mine)
                self.holder.act(server, action)
                self.admin.await_server(server, then)
                self.delete(lease)
                self.count(not self.exists(mine), "an end takes the volume from a server that is %s" % then.lower())
            theirs = self.other.server(things, "lives-theirs")
            self.admin.await_server(theirs, "ACTIVE")
            lease = self.lease("forged")
            self.await_status(lease, "active")
            mine = self.of(self.reservation(lease))[0]["id"]
            self.holder.cloud.post("block-storage", self.path("volumes/%s/action" % mine), {
                "os-attach": {"instance_uuid": theirs, "mountpoint": "/dev/vda"}})
            self.delete(lease)
            there = self.admin.cloud.get("compute", "/servers/" + theirs)["server"]["status"]
            self.count(not self.exists(mine) and there == "ACTIVE",
                       "and no server goes because a holder says that the volume is attached to it", there)
            lease = self.lease("bootable", on_end="detach")
            self.await_status(lease, "active")
            mine = self.of(self.reservation(lease))[0]["id"]
            things.callback(self.holder.remove, "block-storage", self.path("volumes/" + mine))
            self.holder.cloud.post("block-storage", self.path("volumes/%s/action" % mine), {
                "os-set_bootable": {"bootable": True}})
            server = self.holder.server(things, "lives-booted", imageRef="", block_device_mapping_v2=[{
                "uuid": mine, "source_type": "volume", "destination_type": "volume", "boot_index": 0,
                "delete_on_termination": True}])
            self.admin.await_server(server, "ACTIVE")
            self.delete(lease)
            # Nova releases a volume before it deletes the server.
            await_that(lambda: self.is_gone(server), "the server that started from it is gone")
            left = self.volume(mine)
            self.count(left["status"] == "available",
                       "a volume that is to stay does not go with the server that started from it", left)

    def end_without_trust(self):
        lease = self.lease("orphaned")
        self.await_status(lease, "active")
        mine = self.of(self.reservation(lease))[0]["id"]
        self.take_back_trusts()
        self.delete(lease)
        self.count(not self.exists(mine), "who takes the trust back does not keep the volume")

    def die_in_a_start(self):
        lease = self.lease("interrupted")
        reservation = self.reservation(lease)
        catch(lambda: self.of(reservation), "the start has begun")
        self.engine.kill()
        there = self.of(reservation)
        self.count(len(there) == 1, "the product is killed in the middle of a start", there)
        self.engine.start()
        self.await_status(lease, "active")
        self.count([each["id"] for each in self.of(reservation)] == [there[0]["id"]],
                   "the next start goes on with the same volume", self.of(reservation))
        self.delete(lease)
        self.count(not self.of(reservation), "and gives it back")

    def die_in_an_end(self):
        with contextlib.ExitStack() as things:
            lease = self.lease("cut-short")
            self.await_status(lease, "active")
            mine = self.of(self.reservation(lease))[0]["id"]
            self.attached(things, mine)
            self.ask("DELETE", "/api/leases/" + lease)
            catch(lambda: not self.exists(mine) or self.volume(mine)["status"] != "in-use", "the end has begun")
            self.engine.kill()
            self.engine.start()
            self.await_status(lease, 404)
            self.count(not self.exists(mine), "the product is killed in the middle of an end, and its next start ends it")

    def drift(self):
        """Checks drift: a holder deletes a volume, and a volume names a lease that does not exist."""
        lease = self.lease("wasted")
        self.await_status(lease, "active")
        reservation = self.reservation(lease)
        self.count(not any(self.drifted().values()), "the cloud is as it should be")
        self.holder.remove("block-storage", self.path("volumes/" + self.of(reservation)[0]["id"]))
        found = self.drifted()
        self.count(found["missing"] == [{"kind": KIND, "lease_id": lease, "reservation_id": reservation}]
                   and not found["leftovers"], "a volume that its holder deleted is named", found)
        self.delete(lease)
        stray = str(uuid.uuid4())
        with contextlib.ExitStack() as things:
            made = self.holder.make(things, "block-storage", self.path("volumes"), "volume", {
                "name": "lives-stray", "size": 1, "volume_type": TYPE, "metadata": {MARK: stray}})
            self.holder.await_status("block-storage", self.path("volumes/" + made["id"]), "volume", "available")
            found = self.drifted()
            self.count(found["leftovers"] == [{"kind": KIND, "reservation_id": stray, "things": [
                "volume/%s 1 GiB reservation:%s" % (TYPE, stray)]}], "and what no lease has left", found)

    def drifted(self):
        return self.ask("GET", "/api/operations/drift", user="admin")

    def lease(self, name, **what):
        return self.ask("POST", "/api/leases", self.asked(name, **what))["id"]

    def asked(self, name, size=10, on_end="delete", **times):
        return self.wish(KIND, {"volume_type": TYPE, "size": size, "name": name, "on_end": on_end}, name, **times)

    def change(self, lease, reservation, **parameters):
        self.ask("PATCH", "/api/leases/" + lease, {"reservations": [{"id": reservation, "parameters": parameters}]})

    def attached(self, things, volume):
        """Attaches the volume to a new, active server; returns the server."""
        server = self.holder.server(things, "lives")
        self.admin.await_server(server, "ACTIVE")
        self.holder.cloud.post("compute", "/servers/%s/os-volume_attachments" % server, {
            "volumeAttachment": {"volumeId": volume}})
        await_that(lambda: self.volume(volume)["status"] == "in-use", "the volume is attached")
        return server

    def path(self, rest, user=None):
        """Returns the path as the user requests it; the default is the holder."""
        return "/%s/%s" % ((user or self.holder).cloud.project, rest)

    def all(self, what):
        path = "/%s/%s/detail?all_tenants=1" % (self.admin.cloud.project, what)
        return self.admin.cloud.get("block-storage", path)[what]

    def of(self, reservation):
        return [each for each in self.all("volumes") if each["metadata"].get(MARK) == reservation]

    def volume(self, volume):
        return next(each for each in self.all("volumes") if each["id"] == volume)

    def exists(self, volume):
        return any(each["id"] == volume for each in self.all("volumes"))

    def snapshots(self, volume):
        return [each for each in self.all("snapshots") if each["volume_id"] == volume]

    def everything(self):
        """Returns everything that leases could leave behind."""
        found = {("snapshots", each["id"]): each["name"] for each in self.all("snapshots")}
        found.update((("volumes", each["id"]), each["name"]) for each in self.all("volumes"))
        return found

    def tidy(self, before):
        """Removes leftovers; snapshots first, because a volume cannot be deleted before them."""
        for kind, one in sorted(set(self.everything()) - set(before)):
            self.admin.remove("block-storage", "/%s/%s/%s" % (self.admin.cloud.project, kind, one))


if __name__ == "__main__":
    Volumes.main("volumes", "volumes")
