"""Scenarios of leases of floating IPs on the testbed's Neutron, checked as users and operators see them."""

import contextlib
import datetime
import json
import sys
import time

from e2e.life import Life, command, openstack, settings
from harness.leases import stamp, status
from harness.trial import Trial
from testbed import processes
from testbed.users import User, await_that, catch

PORT = 32200

ADDRESSES = ("172.24.4.241", "172.24.4.242", "172.24.4.243", "172.24.4.244")
GATEWAY, POOLED, ELSEWHERE, LEFT_OVER = "172.24.4.1", "172.24.4.50", "192.0.2.7", "172.24.4.245"
TOO_FEW = "Not enough floating IPs available"


def change(*words):
    """Runs the command line as the holder."""
    command("demo", *words)


class FloatingIps(Life):
    """The scenarios of floating IPs, one after the other, with one product."""

    def __init__(self, trial, engine):
        self.trial = trial
        self.engine = engine
        self.admin, self.holder = User("admin"), User("demo")
        network = self.admin.cloud.get("network", "/v2.0/networks?name=public")["networks"][0]
        self.network, self.subnet = network["id"], network["subnets"][0]
        self.count = trial.count

    def live(self):
        before = self.everything()
        try:
            self.engine.start()
            self.enrol()
            self.use()
            self.end_by_time()
            self.keep_by_force()
            self.die_in_a_start()
            self.die_in_an_end()
            self.find_it_taken()
            self.retire()
            self.engine.stop()
            after = self.everything()
            self.count(after == before, "nothing is left in the cloud", set(after) ^ set(before))
        finally:
            self.engine.stop()
            for left in set(self.everything()) - set(before):
                self.admin.remove("network", "/v2.0/floatingips/" + left)

    def enrol(self):
        for address in ADDRESSES:
            made = self.ask("POST", "/v1/floatingips", self.wish(address), "admin")["floatingip"]
            self.trial.check(made["floating_ip_address"] == address and made["subnet_id"] == self.subnet,
                             address + " is enrolled", made)
        for address, answer, text in (
                (GATEWAY, 400, "The floating IP %s is used in allocation_pools or gateway_ip in subnet %s ."),
                (POOLED, 400, "The floating IP %s is used in allocation_pools or gateway_ip in subnet %s ."),
                (ELSEWHERE, 404, "Valid subnet for the floating IP %s is not found."),
                (ADDRESSES[0], 409, "The floating IP %s is already registered.")):
            expected = text % ((address, self.subnet) if text.count("%s") == 2 else address)
            self.count_refused("POST", "/v1/floatingips", self.wish(address), answer, expected, "admin")
        with self.stranger(LEFT_OVER):
            seen = self.engine.call("admin", "POST", "/v1/floatingips", self.wish(LEFT_OVER))
            self.count(seen[0] == 409, "an address in use is not enrolled", seen)

    def use(self):
        """Checks a lease from before its start to its deletion."""
        lease = self.lease("mine", 2, ADDRESSES[3], start=600)
        reservation = self.reservation(lease)
        self.count(not self.of(reservation), "before the start there is none")
        self.move(lease, start=8)
        self.await_status(lease, "active")
        found = openstack("floating", "ip", "list", "--long", "--tags", "blazar,reservation:" + reservation)
        self.count(sorted(each["Floating IP Address"] for each in found) == [ADDRESSES[0], ADDRESSES[3]]
                   and all(each["Project"] == self.holder.cloud.project and each["Subnet"] == self.subnet
                           if "Subnet" in each else each["Project"] == self.holder.cloud.project for each in found),
                   "they are the project's, with the tags, the required one among them", found)
        self.count_refused("POST", "/v1/leases", self.old_wish(1, ADDRESSES[3]), 400, TOO_FEW)
        self.count_refused("POST", "/v1/leases", self.old_wish(3), 400, TOO_FEW)
        with contextlib.ExitStack() as things:
            port = self.port(things)
            mine = self.holder.cloud.get("network", "/v2.0/floatingips?floating_ip_address=" + ADDRESSES[3])
            change("floating", "ip", "set", "--port", port, ADDRESSES[3])
            led = self.holder.cloud.get("network", "/v2.0/floatingips/" + mine["floatingips"][0]["id"])["floatingip"]
            self.count(led["port_id"] == port, "its holder lets one lead to a port", led)
            self.ask("PATCH", "/api/leases/" + lease,
                     {"reservations": [{"id": reservation, "parameters": {"amount": 3}}]})
            await_that(lambda: len(self.of(reservation)) == 3, "there are three")
            still = self.holder.cloud.get("network", "/v2.0/floatingips/" + led["id"])["floatingip"]
            self.count(still["port_id"] == port, "a change leaves those alone that are there", still)
            answer, text = self.engine.call("demo", "PATCH", "/api/leases/" + lease, {
                "reservations": [{"id": reservation, "parameters": {"amount": 1}}]})
            self.count(answer == 400 and "gives no floating IP back" in text, "an active one only grows", text)
            self.delete(lease)
            self.count(not self.of(reservation) and not self.at(ADDRESSES[3]), "its end frees all, in use or not")
            there = self.holder.cloud.get("network", "/v2.0/ports/" + port)["port"]
            self.count(there["id"] == port, "the port stays", there)

    def end_by_time(self):
        lease = self.lease("short", 1, ADDRESSES[1])
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        self.count([each["floating_ip_address"] for each in self.of(reservation)] == [ADDRESSES[1]],
                   "a short lease has its address")
        answer, text = self.engine.call("admin", "DELETE", "/v1/floatingips/" + self.id(ADDRESSES[1]))
        self.count(answer == 409 and "is allocated by reservations." in text, "meanwhile it is not retired", text)
        self.move(lease, end=8)
        self.await_status(lease, "ended")
        self.count(not self.at(ADDRESSES[1]), "its time is over, and the address free")
        answer, text = self.engine.call("admin", "DELETE", "/v1/floatingips/" + self.id(ADDRESSES[1]))
        self.count(answer == 204, "an address whose lease is over is retired, the lease not forgotten", text)
        self.ask("POST", "/v1/floatingips", self.wish(ADDRESSES[1]), "admin")
        self.delete(lease)

    def keep_by_force(self):
        lease = self.lease("dear", 1, ADDRESSES[2])
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        mine = self.of(reservation)[0]["id"]
        self.holder.cloud.put("network", "/v2.0/floatingips/" + mine, {"floatingip": {"description": "mine"}})
        self.holder.cloud.put("network", "/v2.0/floatingips/%s/tags" % mine, {"tags": []})
        self.delete(lease)
        self.count(not self.at(ADDRESSES[2]), "who wipes off all marks does not keep the address")

    def die_in_a_start(self):
        lease = self.lease("interrupted", 4)
        reservation = self.reservation(lease)
        catch(lambda: self.of(reservation), "the start has begun")
        self.engine.kill()
        there = self.of(reservation)
        self.count(0 < len([each for each in there if each["tags"]]) + len(there) < 8,
                   "the product is killed in the middle of a start", there)
        self.engine.start()
        self.await_status(lease, "active")
        there = self.of(reservation)
        self.count(len(there) == 4 and all(set(each["tags"]) == {"blazar", "reservation:" + reservation}
                                           for each in there), "the next start goes on, and the lease gets all", there)
        self.delete(lease)
        self.count(not self.of(reservation), "and gives all back")

    def die_in_an_end(self):
        lease = self.lease("cut-short", 4)
        reservation = self.reservation(lease)
        self.await_status(lease, "active")
        self.ask("DELETE", "/api/leases/" + lease)
        catch(lambda: len(self.of(reservation)) < 4, "the end has begun")
        self.engine.kill()
        self.count(True, "the product is killed in an end, with %d left" % len(self.of(reservation)))
        self.engine.start()
        self.await_status(lease, 404)
        self.count(not self.of(reservation), "the next start ends it")

    def find_it_taken(self):
        with self.stranger(ADDRESSES[0]) as stranger:
            lease = self.lease("unlucky", 1, ADDRESSES[0])
            self.await_status(lease, "error")
            answer = self.engine.call("demo", "GET", "/api/leases/" + lease)[1]
            self.count("another one's" in answer, "an address that an administrator gave away is not taken", answer)
            self.count(self.at(ADDRESSES[0])[0]["id"] == stranger, "nor touched")
        self.ask("POST", "/api/operations/leases/%s/retry" % lease, user="admin")
        self.await_status(lease, "active")
        self.count(len(self.at(ADDRESSES[0])) == 1, "when it is free, another try succeeds")
        self.delete(lease)

    def retire(self):
        for each in self.ask("GET", "/v1/floatingips")["floatingips"]:
            self.ask("DELETE", "/v1/floatingips/" + each["id"], user="admin")
        self.count(not self.ask("GET", "/v1/floatingips")["floatingips"], "all are retired")

    def wish(self, address):
        return {"floating_network_id": self.network, "floating_ip_address": address}

    def old_wish(self, amount, *required):
        """Returns a request in the format of the reservation service's own API."""
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        return {"name": "too-much", "start_date": "now", "end_date": end.strftime("%Y-%m-%d %H:%M"),
                "reservations": [{"resource_type": "virtual:floatingip", "network_id": self.network,
                                  "amount": str(amount), "required_floatingips": list(required)}]}

    def lease(self, name, amount, *required, start=0, length=1800):
        now = datetime.datetime.now(datetime.timezone.utc)
        wish = {"name": name, "end": stamp(now + datetime.timedelta(seconds=start + length)),
                "reservations": [{"kind": "virtual:floatingip", "parameters": {
                    "network_id": self.network, "amount": amount, "required_floatingips": list(required)}}]}
        if start:
            wish["start"] = stamp(now + datetime.timedelta(seconds=start))
        return self.ask("POST", "/api/leases", wish)["id"]

    def delete(self, lease):
        self.ask("DELETE", "/api/leases/" + lease)
        self.await_status(lease, 404)

    def await_status(self, lease, wanted, patience=180):
        deadline = time.monotonic() + patience
        while (seen := status(self.engine, lease)) != wanted:
            if time.monotonic() > deadline:
                raise AssertionError("the lease is %s, not %s" % (seen, wanted))
            time.sleep(0.1)

    def count_refused(self, method, path, body, answer, words, user="demo"):
        seen, text = self.engine.call(user, method, path, body)
        self.count(seen == answer and json.loads(text)["error_message"] == words, "refused: " + words, text)

    def id(self, address):
        return next(each["id"] for each in self.ask("GET", "/v1/floatingips")["floatingips"]
                    if each["floating_ip_address"] == address)

    def of(self, reservation):
        """Returns the floating IPs with the reservation's name in a tag or in the description."""
        mark = "reservation:" + reservation
        return [each for each in self.admin.cloud.get("network", "/v2.0/floatingips")["floatingips"]
                if mark in each["tags"] or each["description"] == mark]

    def at(self, address):
        return self.admin.cloud.get("network", "/v2.0/floatingips?floating_ip_address=" + address)["floatingips"]

    @contextlib.contextmanager
    def stranger(self, address):
        """Creates a floating IP of another project."""
        with contextlib.ExitStack() as things:
            yield self.admin.make(things, "network", "/v2.0/floatingips", "floatingip", {
                "floating_network_id": self.network, "floating_ip_address": address,
                "project_id": User("other").cloud.project})["id"]

    def port(self, things):
        """Creates a port of the holder, in a network that is routed to the external one."""
        make, cloud = self.holder.make, self.holder.cloud
        network = make(things, "network", "/v2.0/networks", "network", {"name": "lives"})["id"]
        subnet = make(things, "network", "/v2.0/subnets", "subnet", {
            "network_id": network, "ip_version": 4, "cidr": "10.98.0.0/24"})["id"]
        router = make(things, "network", "/v2.0/routers", "router", {
            "name": "lives", "external_gateway_info": {"network_id": self.network}})["id"]
        cloud.put("network", "/v2.0/routers/%s/add_router_interface" % router, {"subnet_id": subnet})
        things.callback(cloud.put, "network", "/v2.0/routers/%s/remove_router_interface" % router,
                        {"subnet_id": subnet})
        return make(things, "network", "/v2.0/ports", "port", {"network_id": network, "name": "lives"})["id"]

    def everything(self):
        """Returns everything that leases could leave behind."""
        return sorted(each["id"] for each in self.admin.cloud.get("network", "/v2.0/floatingips")["floatingips"]
                      if each["floating_ip_address"] in (*ADDRESSES, LEFT_OVER))


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("floating IPs") as trial:
        # One call after the other, so that a kill can happen between two calls.
        chosen = {**settings(), "leasehold.plugins.openstack-floatingips.enabled": "true",
                  "leasehold.openstack.most-calls": "1"}
        engine = trial.engine("engine", PORT, 0, trial.postgres(PORT + 1).create(), settings=chosen)
        FloatingIps(trial, engine).live()


if __name__ == "__main__":
    main()
