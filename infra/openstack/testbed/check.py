"""Uses the running cloud in all the ways that leases need, and leaves nothing behind."""

import argparse
import contextlib
import dataclasses
import os
import subprocess
import sys
import threading
import traceback

from harness.trial import Trial
from testbed import lifecycle, place, processes, zones
from testbed.isolation import Isolation
from testbed.notifications import Notifications
from testbed.rest import Refused
from testbed.services import Choices
from testbed.users import User, await_that

NAME = "check-%d" % os.getpid()
CUSTOM = "CUSTOM_CHECK_%d" % os.getpid()

TEMPLATE = {
    "heat_template_version": "2018-08-31",
    "resources": {
        "word": {"type": "OS::Heat::RandomString"},
        "server": {"type": "OS::Nova::Server", "properties": {
            "flavor": "m1.tiny", "image": "cirros", "networks": [{"network": "private"}]}},
    },
}


class Check:
    def __init__(self, trial, choices):
        self.trial = trial
        self.choices = choices
        self.admin, self.demo, self.leasehold = User("admin"), User("demo"), User("leasehold", "service")
        self.notifications = Notifications()
        self.lock = threading.Lock()

    def run(self):
        """Runs all parts, in two parallel lanes that do not affect each other, because most of the time is waiting."""
        self.do(self.identities, self.hosts)
        lanes = [threading.Thread(target=self.do, args=parts) for parts in (
            (self.servers, self.volumes, self.trusts, self.resources),
            (self.networks, self.stacks, self.command_line))]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        self.do(self.services, self.isolation, self.check_notifications)

    def do(self, *parts):
        """Runs parts; a part with an exception counts as a failure, and the next ones still run."""
        for part in parts:
            try:
                with contextlib.ExitStack() as things:
                    part(things)
            except Exception:  # Every exception is reported; a thread must not end in silence.
                self.count(False, part.__name__, traceback.format_exc(limit=-3))

    def count(self, holds, what, evidence=""):
        with self.lock:
            self.trial.count(holds, what, evidence)

    def identities(self, things):
        roles = {name: User(name, project).cloud.roles for name, project in (
            ("admin", None), ("demo", None), ("other", None), ("reader", "demo"), ("leasehold", "service"))}
        self.count("admin" in roles["admin"] and {"admin", "service"} <= roles["leasehold"]
                   and roles["demo"] == roles["other"] == {"member", "reader"} and roles["reader"] == {"reader"},
                   "everybody has a token with their roles", roles)
        kinds = {"identity", "placement", "image", "compute", "network", "block-storage", "orchestration"}
        self.count(kinds <= set(self.demo.cloud.catalog)
                   and self.demo.cloud.catalog.get("reservation") == "http://127.0.0.1:1234/v1",
                   "the catalog has all services", self.demo.cloud.catalog)

    def hosts(self, things):
        found = self.admin.cloud.get("compute", "/os-hypervisors/detail")["hypervisors"]
        up = {each["hypervisor_hostname"] for each in found if each["state"] == "up" and each["status"] == "enabled"}
        self.count(up >= set(self.names()), "%d hosts are up" % self.choices.hosts, up)

    def names(self):
        return ["compute-%03d" % number for number in range(1, self.choices.hosts + 1)]

    def free_hosts(self):
        """Returns the names of hosts in no aggregate."""
        taken = {host for aggregate in self.admin.aggregates() for host in aggregate["hosts"]}
        return [name for name in self.names() if name not in taken]

    def servers(self, things):
        host = self.free_hosts()[-1]
        aggregate = self.admin.make(things, "compute", "/os-aggregates", "aggregate", {"name": NAME})
        action = "/os-aggregates/%s/action" % aggregate["id"]
        self.admin.cloud.post("compute", action, {"set_metadata": {"metadata": {"check": "true"}}})
        self.admin.cloud.post("compute", action, {"add_host": {"host": host}})
        things.callback(self.admin.cloud.post, "compute", action, {"remove_host": {"host": host}})
        flavor = self.flavor(things, "steered", {"aggregate_instance_extra_specs:check": "true"})
        server = self.demo.server(things, NAME, flavor, **zones.ANYWHERE)
        self.count(self.admin.await_server(server, "ACTIVE") == host, "a flavor leads a server to its aggregate")
        image = self.demo.cloud.post("compute", "/servers/%s/action" % server, {"createImage": {"name": NAME}})
        things.callback(self.demo.remove, "image", "/v2/images/" + image["image_id"])
        await_that(lambda: self.demo.cloud.get("image", "/v2/images/" + image["image_id"])["status"] == "active",
                   "the image is active")
        self.count(True, "an image of it gets active")
        await_that(lambda: self.idle(server), "the server rests")
        self.demo.act(server, "shelve")
        self.admin.await_server(server, "SHELVED_OFFLOADED")
        await_that(lambda: self.admin.await_server(server, "SHELVED_OFFLOADED") is None, "it has left its host")
        self.forget_image(things, NAME + "-shelved")
        self.count(self.allocations(server) == {}, "a shelved server takes no place")
        self.demo.act(server, "unshelve")
        self.count(self.admin.await_server(server, "ACTIVE") == host and self.allocations(server),
                   "unshelved it has its place again")
        self.demo.act(server, "os-stop")
        self.admin.await_server(server, "SHUTOFF")
        self.demo.act(server, "os-start")
        self.admin.await_server(server, "ACTIVE")
        self.count(True, "it stops and starts")
        group = self.demo.make(things, "compute", "/os-server-groups", "server_group", {
            "name": NAME, "policy": "anti-affinity"})
        pair = [self.demo.server(things, NAME, hints={"group": group["id"]}) for _ in range(2)]
        self.count(len({self.admin.await_server(each, "ACTIVE") for each in pair}) == 2,
                   "servers of an anti-affine group run apart")

    def idle(self, server):
        return self.admin.cloud.get("compute", "/servers/" + server)["server"]["OS-EXT-STS:task_state"] is None

    def forget_image(self, things, name):
        """Registers the removal of the image that shelving makes; unshelving does not always delete it."""
        for image in self.demo.cloud.get("image", "/v2/images?name=" + name)["images"]:
            things.callback(self.demo.remove, "image", "/v2/images/" + image["id"])

    def allocations(self, server):
        return self.admin.cloud.get("placement", "/allocations/" + server)["allocations"]

    def flavor(self, things, name, extra_specs):
        made = self.admin.make(things, "compute", "/flavors", "flavor", {
            "name": "%s-%s" % (NAME, name), "vcpus": 1, "ram": 512, "disk": 1})
        self.admin.cloud.post("compute", "/flavors/%s/os-extra_specs" % made["id"], {"extra_specs": extra_specs})
        return made["id"]

    def volumes(self, things):
        path = "/%s/volumes" % self.demo.cloud.project
        server = self.demo.server(things, NAME)
        volume = self.demo.make(things, "block-storage", path, "volume", {"name": NAME, "size": 1})["id"]
        self.await_volume(volume, "available")
        self.admin.await_server(server, "ACTIVE")
        attachments = "/servers/%s/os-volume_attachments" % server
        self.demo.cloud.post("compute", attachments, {"volumeAttachment": {"volumeId": volume}})
        self.await_volume(volume, "in-use")
        self.demo.cloud.delete("compute", "%s/%s" % (attachments, volume))
        self.await_volume(volume, "available")
        self.count(True, "a volume is made, attached and detached")
        snapshot = self.demo.make(things, "block-storage", "/%s/snapshots" % self.demo.cloud.project, "snapshot",
                                  {"volume_id": volume, "name": NAME})
        self.demo.await_status("block-storage", "/%s/snapshots/%s" % (self.demo.cloud.project, snapshot["id"]),
                               "snapshot", "available")
        self.demo.cloud.post("block-storage", "%s/%s/action" % (path, volume), {"os-extend": {"new_size": 2}})
        self.await_volume(volume, "available")
        self.count(True, "it has a snapshot, and grows")
        pools = self.admin.cloud.get("block-storage", "/%s/scheduler-stats/get_pools?detail=true"
                                     % self.admin.cloud.project)["pools"]
        self.count(pools[0]["capabilities"]["total_capacity_gb"] == 10000, "the backend reports its capacity", pools)

    def await_volume(self, volume, status):
        self.demo.await_status("block-storage", "/%s/volumes/%s" % (self.demo.cloud.project, volume), "volume", status)

    def networks(self, things):
        public = self.admin.cloud.get("network", "/v2.0/networks?name=public")["networks"][0]["id"]
        segment = self.network(things, self.admin, **{
            "provider:network_type": "vlan", "provider:physical_network": "physnet1",
            "provider:segmentation_id": 1999, "project_id": self.demo.cloud.project})
        self.count(segment["provider:segmentation_id"] == 1999, "a project gets a network on a VLAN of choice", segment)
        overlay = self.network(things, self.admin, **{"provider:network_type": "vxlan"})
        self.count(overlay["provider:segmentation_id"], "there are VXLANs", overlay)
        ranges = self.admin.cloud.get("network", "/v2.0/network_segment_ranges")["network_segment_ranges"]
        self.count({each["network_type"] for each in ranges} == {"vlan", "vxlan"}, "segment ranges are listed", ranges)
        subnet = self.demo.make(things, "network", "/v2.0/subnets", "subnet", {
            "network_id": segment["id"], "ip_version": 4, "cidr": "10.99.0.0/24"})["id"]
        router = self.demo.make(things, "network", "/v2.0/routers", "router", {
            "name": NAME, "external_gateway_info": {"network_id": public}})["id"]
        self.demo.cloud.put("network", "/v2.0/routers/%s/add_router_interface" % router, {"subnet_id": subnet})
        things.callback(self.demo.cloud.put, "network", "/v2.0/routers/%s/remove_router_interface" % router,
                        {"subnet_id": subnet})
        server = self.demo.server(things, NAME, networks=[{"uuid": segment["id"]}])
        self.admin.await_server(server, "ACTIVE")
        port = self.demo.cloud.get("network", "/v2.0/ports?device_id=" + server)["ports"][0]
        address = self.admin.make(things, "network", "/v2.0/floatingips", "floatingip", {
            "floating_network_id": public, "floating_ip_address": "172.24.4.200",
            "project_id": self.demo.cloud.project})
        answer = self.demo.cloud.put("network", "/v2.0/floatingips/" + address["id"],
                                     {"floatingip": {"port_id": port["id"]}})["floatingip"]
        self.count(answer["fixed_ip_address"] == port["fixed_ips"][0]["ip_address"],
                   "a floating IP from beyond the pool leads to a server", answer)

    @staticmethod
    def network(things, user, **fields):
        return user.make(things, "network", "/v2.0/networks", "network", {"name": NAME, **fields})

    def stacks(self, things):
        kinds = self.admin.cloud.get("orchestration", "/resource_types")["resource_types"]
        self.count({"OS::Blazar::Lease", "OS::Blazar::Host"} <= set(kinds),
                   "templates may contain leases, and an administrator's hosts", kinds)
        preview = self.demo.cloud.post("orchestration", "/stacks/preview", {
            "stack_name": NAME, "template": TEMPLATE})["stack"]["resources"]
        self.count({each["resource_type"] for each in preview} == {"OS::Nova::Server", "OS::Heat::RandomString"},
                   "a preview names what the template will create", preview)
        stack = self.demo.cloud.post("orchestration", "/stacks", {"stack_name": NAME, "template": TEMPLATE})["stack"]
        path = "/stacks/%s/%s" % (NAME, stack["id"])
        things.callback(self.remove_stack, path)
        self.await_stack(path, "CREATE_COMPLETE")
        resources = self.demo.cloud.get("orchestration", path + "/resources")["resources"]
        server = next(each["physical_resource_id"] for each in resources if each["resource_name"] == "server")
        self.count(self.admin.await_server(server, "ACTIVE"), "a stack is made, with a server")
        for action, done, status in (("suspend", "SUSPEND_COMPLETE", "SUSPENDED"),
                                     ("resume", "RESUME_COMPLETE", "ACTIVE")):
            self.demo.cloud.post("orchestration", path + "/actions", {action: None})
            self.await_stack(path, done)
            self.admin.await_server(server, status)
            self.count(True, "%s makes its server %s" % (action, status))

    def await_stack(self, path, status):
        self.demo.await_status("orchestration", path, "stack", status, "stack_status")

    def remove_stack(self, path):
        """Deletes a stack, and waits; Heat shows it for a while after its deletion."""
        self.demo.cloud.delete("orchestration", path)
        self.await_stack(path, "DELETE_COMPLETE")

    def trusts(self, things):
        member = self.admin.cloud.get("identity", "/roles?name=member")["roles"][0]["id"]
        trust = self.demo.make(things, "identity", "/OS-TRUST/trusts", "trust", {
            "trustor_user_id": self.demo.cloud.user, "trustee_user_id": self.leasehold.cloud.user,
            "project_id": self.demo.cloud.project, "impersonation": True, "roles": [{"id": member}]})["id"]
        trusted = User("leasehold", trust=trust)
        self.count(trusted.cloud.user == self.demo.cloud.user and trusted.cloud.roles == {"member", "reader"},
                   "a trust's token is its trustor's", trusted.cloud.roles)
        with contextlib.ExitStack() as entrusted:
            server = trusted.server(entrusted, NAME)
            self.admin.await_server(server, "ACTIVE")
            user = self.demo.cloud.get("compute", "/servers/" + server)["server"]["user_id"]
            self.count(user == self.demo.cloud.user, "with a trust a server is made for its trustor", user)
        self.demo.cloud.delete("identity", "/OS-TRUST/trusts/" + trust)
        try:
            User("leasehold", trust=trust)
            self.count(False, "a trust that is deleted gives no token")
        except Refused as refused:
            self.count(refused.status in (401, 403, 404), "a trust that is deleted gives no token", refused)

    def resources(self, things):
        self.admin.cloud.put("placement", "/resource_classes/" + CUSTOM)
        things.callback(self.admin.cloud.delete, "placement", "/resource_classes/" + CUSTOM)
        host = self.names()[0]
        parent = self.admin.cloud.get("placement", "/resource_providers?name=" + host)["resource_providers"][0]
        child = self.admin.make(things, "placement", "/resource_providers", None, {
            "name": NAME, "parent_provider_uuid": parent["uuid"]}, "uuid")
        self.admin.cloud.put("placement", "/resource_providers/%s/inventories" % child["uuid"], {
            "resource_provider_generation": child["generation"],
            "inventories": {CUSTOM: {"total": 1, "max_unit": 1}}})
        flavor = self.flavor(things, "slot", {"resources:%s" % CUSTOM: "1"})
        first = self.demo.server(things, NAME, flavor, **zones.ANYWHERE)
        self.count(self.admin.await_server(first, "ACTIVE") == host, "a server takes the slot of a nested provider")
        second = self.demo.server(things, NAME, flavor, **zones.ANYWHERE)
        self.count(self.admin.await_server(second, "ERROR") is None, "one more gets none")

    def services(self, things):
        host = self.names()[-1]
        service = self.admin.cloud.get("compute", "/os-services?binary=nova-compute&host=" + host)["services"][0]
        path = "/os-services/" + service["id"]
        things.callback(self.admin.cloud.put, "compute", path, {"status": "enabled"})
        for field, value in ("forced_down", True), ("forced_down", False), ("status", "disabled"):
            changed = self.admin.cloud.put("compute", path, {field: value})["service"]
            self.count(changed[field] == value, "a host's %s can be %s" % (field, value), changed)

    def isolation(self, things):
        Isolation(self.trial, self.choices, self.free_hosts()[:3]).run()

    def command_line(self, things):
        for user, words in ("demo", "server list"), ("reader", "network list"), ("admin", "aggregate list"):
            environment = {"PATH": processes.PATH, "OS_CLIENT_CONFIG_FILE": place.CLOUDS, "HOME": place.FOLDER}
            done = subprocess.run(["/usr/bin/openstack", "--os-cloud", user, *words.split()], env=environment,
                                  capture_output=True, text=True, check=False, timeout=60)
            self.count(done.returncode == 0, "openstack --os-cloud %s %s" % (user, words), done.stderr)

    def check_notifications(self, things):
        things.callback(self.notifications.close)
        old, new = self.notifications.heard()
        self.count({"compute.instance.create.end", "compute.instance.delete.end"} <= old,
                   "notifications report servers", old)
        self.count({"instance.create.end", "instance.shelve_offload.end", "service.update", "aggregate.add_host.end"}
                   <= new, "versioned notifications report servers, hosts and aggregates", new)

    def everything(self):
        """Returns everything in the cloud, by kind."""
        project = self.admin.cloud.project
        questions = {
            "servers": ("compute", "/servers?all_tenants=1", "servers"),
            "aggregates": ("compute", "/os-aggregates", "aggregates"),
            "flavors": ("compute", "/flavors?is_public=None", "flavors"),
            "groups": ("compute", "/os-server-groups?all_projects=1", "server_groups"),
            "volumes": ("block-storage", "/%s/volumes?all_tenants=1" % project, "volumes"),
            "snapshots": ("block-storage", "/%s/snapshots?all_tenants=1" % project, "snapshots"),
            "images": ("image", "/v2/images?visibility=all", "images"),
            "networks": ("network", "/v2.0/networks", "networks"),
            "routers": ("network", "/v2.0/routers", "routers"),
            "ports": ("network", "/v2.0/ports", "ports"),
            "addresses": ("network", "/v2.0/floatingips", "floatingips"),
            "trusts": ("identity", "/OS-TRUST/trusts", "trusts"),
            "providers": ("placement", "/resource_providers", "resource_providers"),
            "resource classes": ("placement", "/resource_classes", "resource_classes"),
        }
        found = {}
        for what, (service, path, key) in questions.items():
            for each in self.admin.cloud.get(service, path)[key]:
                found[what, str(each.get("id") or each.get("uuid") or each["name"])] = each.get("name")
        for each in self.demo.cloud.get("orchestration", "/stacks")["stacks"]:
            found["stacks", each["id"]] = each["stack_name"]
        return found


def in_the_other_mode(trial, choices):
    other = dataclasses.replace(choices, filter=not choices.filter)
    with lifecycle.mode(other):
        check = Check(trial, other)
        check.isolation(None)
        check.notifications.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--this-mode-only", action="store_true",
                        help="do not restart the scheduler to see the other mode")
    given = parser.parse_args()
    if not processes.runs("keystone"):
        sys.exit("There is nothing to check: start comes first.")
    choices = Choices.recorded()
    with Trial("testbed") as trial:
        print(choices.words(), flush=True)
        check = Check(trial, choices)
        before = check.everything()
        check.run()
        if not given.this_mode_only:
            in_the_other_mode(trial, choices)
        after = check.everything()
        trial.count(after == before, "nothing is left behind", dict(set(after.items()) ^ set(before.items())))


if __name__ == "__main__":
    main()
