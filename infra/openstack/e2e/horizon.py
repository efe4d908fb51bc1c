"""Leases hosts and instances of the testbed in Horizon, with the reservation dashboard.

Both are Debian's and unmodified, and find the product in Keystone's catalog. Each check reads the page, and the
product's API or the cloud besides.
"""

import contextlib
import json
import logging
import sys
import time

from e2e.browser import Browser
from e2e.keystone import PORT, SETTINGS, minutes
from e2e.life import HostLife, Trusted, remove_trusts, trusts_of
from harness.trial import Trial
from testbed import lifecycle, place, processes, release, services
from testbed.rest import IDENTITY
from testbed.services import Choices
from testbed.users import User, await_that

HOST = "compute-007"
ADDRESS = "http://%s:%d" % (place.LOOPBACK, place.HORIZON_PORT)
LEASES = "/project/leases/"
CREATE = LEASES + "create/"
HOSTS = "/admin/hosts/"

# The field with the hosts that an administrator selects.
SELECTED = "select_hosts_role_member"


@contextlib.contextmanager
def dashboard():
    """Runs Horizon, and shows the end of its log after a failure."""
    try:
        with lifecycle.alone():
            lifecycle.start_extra(services.dashboard())
        yield
    except Exception:
        print(place.tail("horizon"), file=sys.stderr)
        raise
    finally:
        with lifecycle.alone():
            lifecycle.stop(["horizon"])


class Horizon(HostLife):

    kinds = (*HostLife.kinds, "server groups", "flavors", "resource classes")

    def __init__(self, trial, engine):
        super().__init__(trial, engine, Choices.recorded())
        self.words = ""
        self.operator, self.member, self.other = (Browser(ADDRESS) for _ in range(3))
        self.trustee = User("leasehold", "service")
        self.known_trusts = {each["id"] for each in trusts_of(self.trustee)}

    def lives(self):
        self.engine.launch()
        with dashboard():
            self.engine.await_ready()
            host = self.enrol()
            self.member_leases_host(host)
            self.member_plans()
            self.member_sees_the_end()
            self.member_leases_instances()
            self.retire(host)
        self.admin.cloud.delete("compute", "/os-aggregates/%s" % self.admin.freepool()["id"])

    def enrol(self):
        """Checks the administrator's panel of hosts; returns the id of the enrolled host."""
        listed = self.operator.log_in("admin", HOSTS)
        self.count(listed.path == HOSTS and not listed.rows, "an administrator sees that no host is enrolled",
                   listed.rows)
        dialog = self.operator.load(HOSTS + "create/")
        self.count(HOST in dialog.form(HOSTS + "create/").choices[SELECTED], "the dialog offers the cloud's hosts")
        listed = self.operator.submit(dialog, HOSTS + "create/", **{SELECTED: [HOST], "extra_caps": '{"gpu": "V100"}'})
        host = self.hosts()[0]
        self.count(listed.says("Host %s was successfully created." % HOST) and host["gpu"] == "V100",
                   "they enrol one with an extra capability", (listed.messages, host))
        row = listed.row(HOST)
        self.count((row["VCPUs"], row["RAM"], row["Reservable"]) == ("64", "256GB", "Yes"), "its row has its size", row)
        await_that(lambda: HOST in self.admin.freepool()["hosts"], "it is in the freepool")
        update = HOSTS + host["id"] + "/update"
        listed = self.operator.submit(self.operator.load(update), update, values='{"rack": "r1"}')
        terms = self.operator.load(HOSTS + host["id"] + "/").terms
        self.count(listed.says("Host was successfully updated.") and self.hosts()[0]["rack"] == "r1"
                   and (terms["Host name"], terms["gpu"], terms["rack"]) == (HOST, "V100", "r1"),
                   "they say more of it, and its page shows that", (listed.messages, terms))
        return host["id"]

    def member_leases_host(self, host):
        listed = self.member.log_in("demo", LEASES)
        self.count(listed.path == LEASES and not listed.rows, "a member sees that there are no leases yet", listed.rows)
        end = minutes(60)
        listed = self.create(name="hosts", end_date=end, resource_properties='["==", "$gpu", "V100"]')
        made = self.find("hosts")
        self.count(listed.says("Lease hosts was successfully created.")
                   and made["project_id"] == self.holder.cloud.project, "they lease a host", (listed.messages, made))
        self.count(listed.row("hosts")["End date"] == end + " UTC" and LEASES + made["id"] + "/update" in listed.links,
                   "its row has its end, and the button to change it", listed.rows)
        reservation = self.await_active("hosts")
        terms = self.detail(made).terms
        found = [terms[each] for each in ("Status", "Degraded", "id", "status", "resource type")]
        self.count(found == ["ACTIVE", "No", reservation["id"], "active", "physical:host"]
                   and terms["start_lease"].startswith("Status: Done") and terms["end_lease"].endswith(end + " UTC")
                   and terms["resource_properties"] == '["==", "$gpu", "V100"]',
                   "its page shows that it is active, its events and its reservation", terms)
        self.count(self.admin.aggregate(reservation["id"])["hosts"] == [HOST], "which has the host")
        listed = self.update(made, lease_name="renamed", end_time="+30m")
        later = self.find("renamed")
        self.count(listed.says("Lease update started.")
                   and listed.row("renamed")["End date"] == shown(later["end_date"])
                   and later["end_date"] > made["end_date"], "they prolong and rename it", (listed.rows, later))
        self.refusals(made, host)
        self.calendars(later)
        self.delete(later)
        self.count_back([HOST], reservation["id"])

    def refusals(self, made, host):
        """Checks that the pages show why the product refuses something."""
        page = self.create(name="second", end_date=minutes(60))
        self.count(page.path == CREATE and page.says("Not enough hosts available") and len(self.leases()) == 1,
                   "the dialog shows why there is no second lease", page.messages)
        page = self.update(made, start_time="+1h")
        self.count(page.says("Cannot modify the start date of already started leases"),
                   "and why an active lease starts no later", page.messages)
        listed = self.operator.press(self.operator.load(HOSTS), HOSTS, "hosts__delete__" + host)
        self.count(listed.says("Unable to delete host") and [each["id"] for each in self.hosts()] == [host],
                   "an administrator does not retire the leased host", listed.messages)
        listed = self.other.log_in("other", LEASES)
        self.count(listed.rows == [] and self.other.load(LEASES + made["id"] + "/").says("not found"),
                   "for another project there is no such lease", listed.rows)
        reader = Browser(ADDRESS)
        listed = reader.log_in("reader", LEASES)
        refused = reader.press(listed, LEASES, "leases__delete__" + made["id"])
        self.count(listed.row("renamed") and refused.says("Unable to delete lease: renamed")
                   and self.find("renamed"), "a reader sees it, and does not delete it", refused.messages)

    def calendars(self, lease):
        """Checks what the scripts of the calendar's page load. Two settings open it to members."""
        times = {"hypervisor_hostname": HOST, "reservation_id": lease["reservations"][0]["id"],
                 **{name: lease[name].replace(".000000", "Z") for name in ("start_date", "end_date")}}
        for who, browser, wanted in (("an administrator", self.operator, [times]), ("a member", self.member, [times]),
                                     ("another project", self.other, [])):
            page = browser.load(LEASES + "calendar/host/")
            found = json.loads(browser.text(page.path + "resources.json"))
            hosts = [each["hypervisor_hostname"] for each in found["resources"]]
            self.count(hosts == [HOST] and found["reservations"] == wanted,
                       "the calendar of %s has the host and %s" % (who, "the lease" if wanted else "no lease"), found)

    def member_plans(self):
        start, end = minutes(600), minutes(720)
        listed = self.create(name="planned", start_date=start, end_date=end)
        made = self.find("planned")
        row = listed.row("planned")
        self.count(listed.says("Lease planned was successfully created.")
                   and (row["Start date"], row["Status"]) == (start + " UTC", "PENDING"), "a member plans a lease", row)
        reservation = made["reservations"][0]["id"]
        change = json.dumps([{"id": reservation, "max": 2}])
        listed = self.update(made, start_time="+1h", end_time="-30m", reservations=change)
        later = self.find("planned")
        row = listed.row("planned")
        self.count(row["Start date"] == shown(later["start_date"]) and row["End date"] == shown(later["end_date"])
                   and made["start_date"] < later["start_date"] < later["end_date"] < made["end_date"]
                   and later["reservations"][0]["max"] == 2, "they change its times and its reservation", (row, later))
        self.delete(later)

    def member_sees_the_end(self):
        self.create(name="short", end_date=minutes(60))
        self.await_active("short")
        made = self.find("short")
        # The dialog counts in minutes.
        self.move(made["id"], end=3)
        await_that(lambda: self.find("short")["status"] == "TERMINATED", "the lease has ended")
        listed = self.member.load(LEASES)
        terms = self.detail(made).terms
        self.count(listed.row("short")["Status"] == "TERMINATED" and LEASES + made["id"] + "/update" not in listed.links
                   and terms["end_lease"].startswith("Status: Done") and terms["status"] == "deleted",
                   "they see that a lease has ended, which the page does not change any more", (listed.rows, terms))
        self.delete(made)

    def member_leases_instances(self):
        wish = {"resource_type": "instance", "amount": "2", "vcpus": "1", "memory_mb": "512", "disk_gb": "1"}
        # The rule of the second one needs the user's trust.
        for name, changes, rule, givers in (("instances", {}, "-", []),
                                            ("together", {"affinity": "True"}, "Yes", [self.holder.cloud.user])):
            self.create(name=name, end_date=minutes(60), **wish, **changes)
            reservation = self.await_active(name)
            # Now, because the product deletes the trust soon after the end of the lease.
            given = trusts_of(self.trustee, self.known_trusts)
            self.count([each["trustor_user_id"] for each in given] == givers,
                       "Horizon's token gives %s trust to the product" % ("a" if givers else "no"), given)
            made = self.find(name)
            terms = self.detail(made).terms
            found = [terms[each] for each in ("resource type", "amount", "memory_mb", "affinity", "flavor_id")]
            self.count(found == ["virtual:instance", "2", "512", rule, reservation["id"]]
                       and self.holder.cloud.exists("compute", "/flavors/" + reservation["id"])
                       and self.has_group(reservation["id"]) == bool(givers),
                       "a member leases instances, affinity: " + rule, terms)
            form = self.member.load(LEASES + made["id"] + "/update").form(LEASES + made["id"] + "/update")
            self.count("end_time" not in form.fields, "whose times the dialog does not change", form.fields)
            self.delete(self.rename(made))
            self.count(not self.exists(reservation["id"]), "nothing of it is left in the cloud")

    def rename(self, made):
        listed = self.update(made, lease_name="renamed")
        self.count(listed.row("renamed") and self.find("renamed")["id"] == made["id"], "but its name", listed.rows)
        return self.find("renamed")

    def retire(self, host):
        listed = self.operator.press(self.operator.load(HOSTS), HOSTS, "hosts__delete__" + host)
        self.count(listed.says("Deleted Host: " + host) and listed.rows == [] and self.hosts() == [],
                   "an administrator retires the host", (listed.messages, listed.rows))
        await_that(lambda: not self.admin.freepool()["hosts"], "it has left the freepool")

    def delete(self, lease):
        listed = self.member.press(self.member.load(LEASES), LEASES, "leases__delete__" + lease["id"])
        await_that(lambda: self.leases() == [], "the lease is gone")
        self.count(listed.says("Deleted Lease: " + lease["name"]) and self.member.load(LEASES).rows == [],
                   "they delete it", (listed.messages, listed.rows))

    def create(self, **fields):
        dialog = self.member.load(CREATE)
        # Without a start, the dialog sends this minute, which must not be over when the product reads it.
        if (left := 60 - time.time() % 60) < 3:
            time.sleep(left)
        return self.member.submit(dialog, CREATE, **fields)

    def update(self, lease, **fields):
        path = LEASES + lease["id"] + "/update"
        return self.member.submit(self.member.load(path), path, **fields)

    def detail(self, lease):
        return self.member.load(LEASES + lease["id"] + "/")

    def await_active(self, name):
        """Waits until the lease is active; returns its reservation."""
        await_that(lambda: self.find(name)["status"] == "ACTIVE", "the lease is active")
        return self.find(name)["reservations"][0]

    def find(self, name):
        """Returns the lease of this name, as the product's API shows it."""
        found = [each for each in self.leases() if each["name"] == name]
        if len(found) != 1:
            raise AssertionError("there are %d leases of the name %s" % (len(found), name))
        return found[0]

    def tidy(self, before):
        super().tidy(before)
        # The product itself deletes only trusts that are a minute old, which the test of the clients waits for.
        remove_trusts(self.trustee, self.holder, self.known_trusts)

    def leases(self):
        return self.holder.cloud.get("reservation", "/leases")["leases"]

    def hosts(self):
        return self.admin.cloud.get("reservation", "/os-hosts")["hosts"]


def shown(moment):
    """Returns a time of the API as a page shows it."""
    return moment.replace("T", " ")[:len("2030-01-31 09:00")] + " UTC"


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    if not release.HAS_DASHBOARD:
        sys.exit("This release has no Horizon 25: infra/openstack/e2e/horizon needs the testbed of another one.")
    logging.disable()
    with Trial("horizon") as trial:
        settings = {**SETTINGS, "leasehold.openstack.auth-url": IDENTITY, "leasehold.saga.watching": "3s",
                    **{"leasehold.gateway.blazar.open-" + what: "true" for what in ("hosts", "allocations")}}
        Horizon(trial, trial.engine("engine", PORT, 0, make=Trusted, settings=settings)).live()


if __name__ == "__main__":
    main()
