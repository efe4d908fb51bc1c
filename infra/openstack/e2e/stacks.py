"""Scenarios of leases of stacks on the testbed's Heat, and of leases that are in Heat's stacks themselves."""

import contextlib
import datetime
import json
import os
import uuid

from e2e.combined import Combined
from e2e.keystone import PORT, minutes
from e2e.life import TrustedLife, isolating
from harness.leases import stamp, status
from testbed import zones
from testbed.services import Choices
from testbed.users import await_that, catch

KIND = "virtual:stack"
ZONE = zones.DEFAULT
HOST = "compute-007"
NAME = TYPE = "lives-%d" % os.getpid()
VERSION = "2018-08-31"
SERVER = {"type": "OS::Nova::Server", "properties": {
    "flavor": "m1.tiny", "image": "cirros", "networks": [{"network": "private"}]}}
WORD = {"type": "OS::Heat::RandomString"}
# Its deletion takes seconds.
SLOW = {"type": "OS::Heat::Delay", "properties": {"min_wait": 10, "actions": ["DELETE"]}}

# Possible leftovers: their service, and the path that lists them.
THINGS = {
    "stacks": ("orchestration", "/stacks?global_tenant=True"),
    "servers": ("compute", "/servers?all_tenants=1"),
    "volumes": ("block-storage", "/%(project)s/volumes?all_tenants=1"),
    "snapshots": ("block-storage", "/%(project)s/snapshots?all_tenants=1"),
    "floatingips": ("network", "/v2.0/floatingips"),
    "networks": ("network", "/v2.0/networks"),
    "aggregates": ("compute", "/os-aggregates"),
}


class Stacks(TrustedLife):
    """The scenarios of stacks, one after the other, with one product."""

    def lives(self):
        self.engine.settings.update(isolating(Choices.recorded()))
        self.engine.start()
        self.pool = self.admin.cloud.get("network", "/v2.0/networks?name=public")["networks"][0]["id"]
        with contextlib.ExitStack() as things:
            self.admin.make(things, "block-storage", "/%s/types" % self.admin.cloud.project, "volume_type", {
                "name": TYPE, "extra_specs": {"volume_backend_name": "standard"}})
            enrolled = self.enrol_all()
            self.use()
            self.change_before_the_start()
            self.end_by_time_and_stay()
            self.lease_their_own()
            self.be_refused()
            self.keep_what_the_template_says()
            self.shrink_while_it_runs()
            self.shrink_and_keep()
            self.end_without_trust()
            self.die_in_a_start()
            self.die_in_an_end()
            self.drift()
            Combined(self, HOST).live()
            self.lease_by_templates()
            for resource in enrolled:
                self.ask("DELETE", "/api/resources/%s" % resource, user="admin")
            self.no_trust_is_left()

    def enrol_all(self):
        made = [self.ask("POST", "/api/resources", {"kind": kind, "name": name}, user="admin")
                for kind, name in ((KIND, self.pool), ("virtual:server", ZONE), ("virtual:volume", TYPE))]
        self.capacity = made[2]["attributes"]["VOLUME_GB"]
        attributes = made[0]["attributes"]
        self.count(attributes["network_id"] == self.pool and 0 < attributes["FLOATING_IP"] <= 90,
                   "a pool of addresses is enrolled with what it has left", made[0])
        answer, text = self.engine.call("admin", "POST", "/api/resources", {"kind": KIND, "name": str(uuid.uuid4())})
        self.count(answer == 404, "a network that Neutron has not got is not", text)
        return [each["id"] for each in made]

    def use(self):
        """Checks a lease from before its start to its deletion, with everything that a stack can contain."""
        answer = self.ask("POST", "/api/leases", self.asked(self.large(), start=10, parameters={"count": 1, "size": 2}))
        lease, reservation = answer["id"], answer["reservations"][0]["id"]
        parts = {each["name"]: each["kind"] for each in answer["reservations"][0]["reservations"]}
        self.count(parts == {"web": "virtual:server", "workers.0": "virtual:server", "data": "virtual:volume",
                             "address": "virtual:floatingip"}, "a template names the parts of its lease", answer)
        self.count(not self.of(reservation), "before the start there is none")
        self.await_status(lease, "active", 180)
        stack = self.of(reservation)
        resources = self.resources(stack)
        self.count((stack["stack_status"], stack["project"]) == ("CREATE_COMPLETE", self.project)
                   and set(resources) >= {"web", "workers", "data", "address", "0"},
                   "the stack is its user's, as it was asked for", (stack, resources))
        there = self.server(resources["web"])
        self.count((there["status"], there["user_id"], there["tenant_id"])
                   == ("ACTIVE", self.holder.cloud.user, self.project), "its server is up, and its user's", there)
        shown = self.parts(lease)
        self.count({name: each["parameters"]["cloud_id"] for name, each in shown.items()} == {
            "web": resources["web"], "workers.0": resources["0"], "data": resources["data"],
            "address": resources["address"]} and {each["status"] for each in shown.values()} == {"active"},
            "the lease shows its parts, and what the cloud calls them", shown)
        self.holder.act(resources["web"], "os-stop")
        self.admin.await_server(resources["web"], "SHUTOFF")
        self.holder.act(resources["web"], "os-start")
        self.admin.await_server(resources["web"], "ACTIVE")
        self.count(True, "its holder uses what is in it")
        self.change_while_it_runs(lease, reservation)
        self.delete(lease, 180)
        self.count(not self.of(reservation) and all(self.is_gone(resources[each]) for each in ("web", "0")),
                   "its end deletes it with all that is in it")

    def change_while_it_runs(self, lease, reservation):
        answer, text = self.try_change(lease, reservation, parameters={"count": 1, "size": 20000})
        self.count(answer == 409 and "shortages" in text, "it cannot grow beyond what is there", text)
        answer, text = self.try_change(lease, reservation, template={"heat_template_version": "none"})
        self.count(answer == 400, "nor become what Heat does not understand", text)
        self.change(lease, reservation, parameters={"count": 2, "size": 2})
        await_that(lambda: self.of(reservation)["stack_status"] == "UPDATE_COMPLETE", "it is updated", patience=120)
        resources = self.resources(self.of(reservation))
        self.count("workers.1" in self.parts(lease) and self.server(resources["1"])["status"] == "ACTIVE",
                   "it grows by a server while it runs", resources)
        await_that(lambda: self.parts(lease)["workers.1"]["parameters"]["cloud_id"] == resources["1"],
                   "the lease shows what the cloud calls it")
        self.change(lease, reservation, parameters={"count": 1, "size": 2})
        await_that(lambda: self.is_gone(resources["1"]), "the server goes again", patience=120)
        await_that(lambda: self.of(reservation)["stack_status"] == "UPDATE_COMPLETE", "it is updated")
        self.count(set(self.parts(lease)) == {"web", "workers.0", "data", "address"}, "and shrinks", self.parts(lease))

    def change_before_the_start(self):
        lease = self.lease({"word": WORD}, start=600)
        reservation = self.reservation(lease)
        self.change(lease, reservation, template=self.template({"data": self.volume(3)}))
        self.count([each["parameters"]["size"] for each in self.parts(lease).values()] == [3],
                   "a stack that has not started is planned again", self.parts(lease))
        answer, text = self.try_change(lease, reservation, template=self.template({"data": self.volume(20000)}))
        self.count(answer == 409 and "shortages" in text, "or refused with what is short", text)
        self.delete(lease)

    def end_by_time_and_stay(self):
        with contextlib.ExitStack() as things:
            lease = self.lease({"web": SERVER}, on_end="suspend")
            reservation = self.reservation(lease)
            self.await_status(lease, "active", 60)
            stack = self.of(reservation)
            things.callback(self.remove_stack, stack)
            self.move(lease, end=8)
            self.await_status(lease, "ended", 180)
            server = self.server(self.resources(stack)["web"])
            self.count(self.of(reservation)["stack_status"] == "SUSPEND_COMPLETE" and server["status"] == "SUSPENDED",
                       "its time is over: it is suspended, as was said", server)
            self.delete(lease)

    def lease_their_own(self):
        with contextlib.ExitStack() as things:
            stack = self.made(things, self.holder, "own", {"web": SERVER})
            server = self.resources(stack)["web"]
            wish = self.wish(KIND, {"stack_id": stack["id"]}, "own", start=600)
            made = self.ask("POST", "/api/leases", wish)
            lease = made["id"]
            part = made["reservations"][0]["reservations"][0]
            self.count((part["name"], part["kind"], part["parameters"]["availability_zone"])
                       == ("web", "virtual:server", ZONE), "what is in a stack of the project's is planned", made)
            self.await_stack(stack, "SUSPEND_COMPLETE")
            self.count(self.server(server)["status"] == "SUSPENDED" and status(self.engine, lease) == "inactive",
                       "it is suspended before its lease starts")
            soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=5)
            self.ask("PATCH", "/api/leases/" + lease, {"start": stamp(soon)})
            self.await_status(lease, "active", 120)
            self.count(self.stack(stack)["stack_status"] == "RESUME_COMPLETE"
                       and self.server(server)["status"] == "ACTIVE", "the start resumes it")
            self.delete(lease, 120)
            self.count(self.stack(stack)["stack_status"] == "SUSPEND_COMPLETE"
                       and self.server(server)["status"] == "SUSPENDED", "the end suspends it again")

    def be_refused(self):
        """Checks that invalid templates are rejected at the request, with the reason."""
        for what, resources, why in (
                ("a type of which nobody knows what it takes", {"some": {"type": "OS::Heat::TestResource"}},
                 "some (OS::Heat::TestResource)"),
                ("a flavor that there is not", {"web": {"type": "OS::Nova::Server", "properties": {
                    **SERVER["properties"], "flavor": "m1.none"}}}, "m1.none")):
            answer, text = self.engine.call("demo", "POST", "/api/leases", self.asked(resources))
            self.count(answer == 400 and why in text, what + " is refused by its name", (answer, text))
        answer, text = self.engine.call("demo", "POST", "/api/leases", self.asked(
            {"some": {"type": "OS::Heat::None"}},
            environment={"resource_registry": {"OS::Heat::None": "OS::Nova::Server"}}))
        self.count(answer == 400 and "environment" in text,
                   "so is an environment that makes servers of what takes nothing", (answer, text))
        answer, text = self.engine.call("demo", "POST", "/api/leases", self.asked({"data": self.volume(20000)}))
        self.count(answer == 409 and "shortages" in text, "so is what does not fit, with what is short", (answer, text))
        with contextlib.ExitStack() as things:
            theirs = self.made(things, self.other, "theirs", {"word": WORD})
            for one in (theirs["id"], str(uuid.uuid4())):
                answer, text = self.engine.call("demo", "POST", "/api/leases",
                                                self.wish(KIND, {"stack_id": one}, "theirs"))
                self.count("could not be found" in text, "a stack that is not the project's is not found",
                           (answer, text))

    def keep_what_the_template_says(self):
        with contextlib.ExitStack() as things:
            lease = self.lease({"data": {**self.volume(1), "metadata": {"leasehold": {"on_end": "keep"}}}})
            reservation = self.reservation(lease)
            self.await_status(lease, "active", 60)
            volume = "/%s/volumes/%s" % (self.project, self.resources(self.of(reservation))["data"])
            things.callback(self.holder.remove, "block-storage", volume)
            self.delete(lease)
            self.count(self.holder.cloud.exists("block-storage", volume) and not self.of(reservation),
                       "a volume that is to stay does, without its stack")

    def shrink_while_it_runs(self):
        """Checks that the calendar frees what a stack no longer needs when Heat has completed the update."""
        lease = self.lease({"data": self.volume(2), "slow": SLOW}, length=3600)
        reservation = self.reservation(lease)
        self.await_status(lease, "active", 60)
        self.count(self.rest(self.capacity - 1) is None, "others may not have what a stack has")
        self.change(lease, reservation, template=self.template({"word": WORD}))
        refused, at_work = self.rest(self.capacity - 1), self.of(reservation)["stack_status"]
        self.count(refused is None and at_work != "UPDATE_COMPLETE", "nor while Heat makes it smaller", at_work)
        self.await_adjusted(lease)
        self.count(self.of(reservation)["stack_status"] == "UPDATE_COMPLETE", "Heat has made it smaller")
        other = self.rest(self.capacity)
        self.count(other is not None, "then others may have the rest")
        self.delete(other)
        self.delete(lease)

    def shrink_and_keep(self):
        """Checks that a volume that Heat keeps although the template no longer has it stays on the calendar."""
        with contextlib.ExitStack() as things:
            lease = self.lease({"word": WORD, "data": {**self.volume(1), "deletion_policy": "Retain"}}, length=3600)
            reservation = self.reservation(lease)
            self.await_status(lease, "active", 60)
            volume = "/%s/volumes/%s" % (self.project, self.resources(self.of(reservation))["data"])
            things.callback(self.holder.remove, "block-storage", volume)
            self.change(lease, reservation, template=self.template({"word": WORD}))
            self.await_adjusted(lease)
            self.count(self.holder.cloud.exists("block-storage", volume) and self.rest(self.capacity) is None,
                       "a volume that Heat keeps stays on the calendar")
            self.delete(lease)
            other = self.rest(self.capacity)
            self.count(other is not None, "until its lease ends")
            self.delete(other)

    def rest(self, size):
        """Leases volumes for later, beside what runs; returns the lease, or None if the calendar cannot hold it."""
        answer, text = self.engine.call("demo", "POST", "/api/leases",
                                        self.asked({"data": self.volume(size)}, start=1200, length=600))
        if answer not in (201, 409):
            raise AssertionError("%d %s" % (answer, text))
        return json.loads(text)["id"] if answer == 201 else None

    def await_adjusted(self, lease):
        path = "/api/leases/%s/history" % lease
        await_that(lambda: "ReservationAdjusted" in [each["type"] for each in self.ask("GET", path)["events"]],
                   "Heat has confirmed the change", patience=120)

    def end_without_trust(self):
        lease = self.lease({"web": SERVER})
        reservation = self.reservation(lease)
        self.await_status(lease, "active", 60)
        self.take_back_trusts()
        self.delete(lease, 120)
        self.count(not self.of(reservation), "who takes the trust back does not keep the stack")

    def die_in_a_start(self):
        lease = self.lease({"web": SERVER})
        reservation = self.reservation(lease)
        catch(lambda: self.of(reservation), "the start has begun")
        first = self.of(reservation)["id"]
        self.engine.kill()
        self.engine.start()
        self.await_status(lease, "active", 120)
        self.count(self.of(reservation)["id"] == first,
                   "the product is killed in a start, which goes on with the same stack")
        self.delete(lease, 120)

    def die_in_an_end(self):
        lease = self.lease({"web": SERVER})
        reservation = self.reservation(lease)
        self.await_status(lease, "active", 60)
        self.ask("DELETE", "/api/leases/" + lease)
        catch(lambda: (self.of(reservation) or {"stack_status": "DELETE"})["stack_status"].startswith("DELETE"),
              "the end has begun")
        self.engine.kill()
        self.engine.start()
        self.await_status(lease, 404, 120)
        self.count(not self.of(reservation), "and in an end, which goes on, too")

    def drift(self):
        """Checks drift: a holder deletes a stack, and a stack names a lease that does not exist."""
        lease = self.lease({"word": WORD})
        reservation = self.reservation(lease)
        self.await_status(lease, "active", 60)
        self.count(not any(self.drifted().values()), "the cloud is as it should be", self.drifted())
        self.remove_stack(self.of(reservation))
        found = self.drifted()
        self.count(found["missing"] == [{"kind": KIND, "lease_id": lease, "reservation_id": reservation}]
                   and not found["leftovers"], "a stack that its holder deleted is named", found)
        self.delete(lease)
        stray = str(uuid.uuid4())
        with contextlib.ExitStack() as things:
            self.made(things, self.holder, "leasehold-" + stray, {"word": WORD})
            found = self.drifted()
            self.count([(each["kind"], each["reservation_id"]) for each in found["leftovers"]] == [(KIND, stray)],
                       "and what no lease has left", found)

    def lease_by_templates(self):
        """Leases with Heat's own resources, which find the product in the catalog; only administrators see hosts."""
        with contextlib.ExitStack() as things:
            host = self.made(things, self.admin, "host", {"host": {"type": "OS::Blazar::Host", "properties": {
                "name": HOST, "extra_capability": {"gpu": "V100"}}}},
                outputs={"name": {"value": {"get_attr": ["host", "hypervisor_hostname"]}}})
            await_that(lambda: HOST in self.admin.freepool()["hosts"], "the host is in the freepool")
            found = self.ask("GET", "/v1/os-hosts/" + self.resources(host, self.admin)["host"], user="admin")["host"]
            self.count((self.output(host, "name"), found["gpu"]) == (HOST, "V100"),
                       "OS::Blazar::Host enrols a host of the cloud", found)
            with contextlib.ExitStack() as leased:
                # Heat takes no "now". A start in this minute could be over when Heat sends it.
                stack = self.made(leased, self.admin, "lease", {"lease": self.heats_lease(minutes(2), minutes(60))},
                                  outputs={"status": {"value": {"get_attr": ["lease", "status"]}},
                                           "its": {"value": {"get_attr": ["lease", "reservations"]}}})
                lease = self.resources(stack, self.admin)["lease"]
                await_that(lambda: self.ask("GET", "/v1/leases/" + lease, user="admin")["lease"]["status"] == "ACTIVE",
                           "the lease is active", patience=240)
                # Heat keeps the answer from the time when the lease was made.
                self.count(self.output(stack, "status") in ("PENDING", "STARTING", "ACTIVE")
                           and [each["resource_type"] for each in self.output(stack, "its")] == ["physical:host"],
                           "OS::Blazar::Lease leases it", self.stack(stack, self.admin))
            answer, text = self.engine.call("admin", "GET", "/v1/leases/" + lease)
            self.count(answer == 404 or "DELETING" in text, "it goes with its stack", text)
            await_that(lambda: HOST in self.admin.freepool()["hosts"], "the host is back in the freepool")
            # Until then, its host cannot be retired.
            await_that(lambda: self.engine.call("admin", "GET", "/v1/leases/" + lease)[0] == 404, "the lease is gone")
        await_that(lambda: not self.admin.freepool()["hosts"], "the host is retired")
        self.count(True, "and so is the host")
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.admin.freepool()["id"])

    @staticmethod
    def heats_lease(start, end):
        return {"type": "OS::Blazar::Lease", "properties": {
            "name": NAME, "start_date": start, "end_date": end,
            "reservations": [{"resource_type": "physical:host", "min": 1, "max": 1, "hypervisor_properties": "",
                              "resource_properties": '["==", "$gpu", "V100"]'}]}}

    def drifted(self):
        return self.ask("GET", "/api/operations/drift", user="admin")

    @staticmethod
    def template(resources, **more):
        return {"heat_template_version": VERSION, "resources": resources, **more}

    @staticmethod
    def volume(size):
        return {"type": "OS::Cinder::Volume", "properties": {"size": size, "volume_type": TYPE}}

    def large(self):
        return self.template({
            "web": SERVER,
            "workers": {"type": "OS::Heat::ResourceGroup", "properties": {
                "count": {"get_param": "count"}, "resource_def": SERVER}},
            "data": self.volume({"get_param": "size"}),
            "attached": {"type": "OS::Cinder::VolumeAttachment", "properties": {
                "volume_id": {"get_resource": "data"}, "instance_uuid": {"get_resource": "web"}}},
            "address": {"type": "OS::Neutron::FloatingIP", "properties": {"floating_network": "public"}},
        }, parameters={"count": {"type": "number"}, "size": {"type": "number"}})

    def asked(self, what, start=0, length=1800, **more):
        template = what if "resources" in what else self.template(what)
        return self.wish(KIND, {"template": template, **more}, "lives", start=start, length=length)

    def lease(self, resources, **what):
        return self.ask("POST", "/api/leases", self.asked(resources, **what))["id"]

    def change(self, lease, reservation, **parameters):
        answer, text = self.try_change(lease, reservation, **parameters)
        if answer >= 300:
            raise AssertionError("%d %s" % (answer, text))

    def try_change(self, lease, reservation, **parameters):
        return self.engine.call("demo", "PATCH", "/api/leases/" + lease, {
            "reservations": [{"id": reservation, "parameters": parameters}]})

    def parts(self, lease):
        return {each["name"]: each
                for each in self.ask("GET", "/api/leases/" + lease)["reservations"][0]["reservations"]}

    def made(self, things, user, name, resources, **more):
        """Creates a stack of a user, which is removed at the end of `things`."""
        stack = user.cloud.post("orchestration", "/stacks", {
            "stack_name": name, "template": self.template(resources, **more)})["stack"]
        stack = {"id": stack["id"], "stack_name": name}
        things.callback(self.remove_stack, stack, user)
        self.await_stack(stack, "CREATE_COMPLETE", user)
        return stack

    def await_stack(self, stack, wanted, user=None):
        (user or self.holder).await_status("orchestration", self.path(stack), "stack", wanted, "stack_status")

    def remove_stack(self, stack, user=None):
        (user or self.holder).cloud.delete("orchestration", self.path(stack))
        await_that(lambda: all(each["id"] != stack["id"] for each in self.all("stacks")), "the stack is gone",
                   patience=120)

    @staticmethod
    def path(stack):
        return "/stacks/%s/%s" % (stack["stack_name"], stack["id"])

    def stack(self, stack, user=None):
        return (user or self.holder).cloud.get("orchestration", self.path(stack))["stack"]

    def output(self, stack, name):
        return next(each["output_value"] for each in self.stack(stack, self.admin)["outputs"]
                    if each["output_key"] == name)

    def resources(self, stack, user=None):
        """Returns the cloud's ids of a stack's resources, also of nested ones."""
        path = self.path(stack) + "/resources?nested_depth=2"
        return {each["resource_name"]: each["physical_resource_id"]
                for each in (user or self.holder).cloud.get("orchestration", path)["resources"]}

    def of(self, reservation):
        """Returns the reservation's stack, or None. Heat lists a deleted stack until its cleanup is done."""
        return next((each for each in self.all("stacks") if each["stack_name"] == "leasehold-" + reservation
                     and each["stack_status"] != "DELETE_COMPLETE"), None)

    def server(self, server):
        return self.admin.cloud.get("compute", "/servers/" + server)["server"]

    def all(self, what):
        service, path = THINGS[what]
        return self.admin.cloud.get(service, path % {"project": self.admin.cloud.project})[what]

    def everything(self):
        """Returns everything that leases could leave behind."""
        return {(what, str(each["id"])): each.get("name", each.get("stack_name", "")) for what in THINGS
                for each in self.all(what)}

    def tidy(self, before):
        """Removes leftovers; stacks first, because they contain the rest."""
        order = list(THINGS)
        for what, one in sorted(set(self.everything()) - set(before), key=lambda each: order.index(each[0])):
            if what == "stacks":
                self.remove_stack(next(each for each in self.all("stacks") if each["id"] == one), self.admin)
            elif what == "aggregates":
                self.admin.remove_aggregate(one)
            else:
                service, path = THINGS[what]
                path = path.split("?")[0] % {"project": self.admin.cloud.project}
                self.admin.remove(service, "%s/%s" % (path, one))


if __name__ == "__main__":
    # Heat calls the product at its address in the catalog.
    Stacks.main("stacks", "stacks", "servers", "volumes", "networks", "floatingips", port=PORT)
