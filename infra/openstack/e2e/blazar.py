"""A Blazar that runs on the testbed, with a new database."""

import datetime

from testbed import database, install, lifecycle, place
from testbed.rest import Refused
from testbed.services import every

SERVICES = ["blazar-api", "blazar-manager"]
DATABASE = "blazar"
URL = "http://%s:%d/v1" % (place.LOOPBACK, place.BLAZAR_PORT)


class Blazar:
    """Blazar's services and requests to them. The testbed runs in a mode with Blazar."""

    def __init__(self, choices):
        self.choices = choices

    def renew(self, admin):
        """Starts Blazar on an empty database, on hosts without slots of earlier reservations."""
        self.stop()
        self.remove_slots(admin)
        database.ask("DROP DATABASE IF EXISTS %s" % DATABASE)
        database.ask("CREATE DATABASE %s" % DATABASE)
        install.run("blazar", "blazar-db-manage", "--config-file", place.configuration("blazar.conf"), "upgrade", "head")
        self.start()

    def start(self):
        with lifecycle.alone():
            lifecycle.start(self.choices, SERVICES)

    @staticmethod
    def stop():
        with lifecycle.alone():
            lifecycle.stop(SERVICES)

    def remove_slots(self, admin):
        """Deletes the hosts' providers of slots, with which Blazar enrols no host; compute services cache them."""
        found = [each["uuid"] for each in admin.cloud.get("placement", "/resource_providers")["resource_providers"]
                 if each["name"].startswith("blazar_")]
        for provider in found:
            admin.cloud.delete("placement", "/resource_providers/" + provider)
        if found:
            self.restart_computes()

    def restart_computes(self):
        computes = [each.name for each in every(self.choices) if each.name.startswith("nova-compute")]
        with lifecycle.alone():
            lifecycle.stop(computes)
            lifecycle.start(self.choices, computes)

    @staticmethod
    def call(user, method, path, body=None):
        """Sends a request as a user; raises Refused."""
        user.cloud.catalog["blazar"] = URL
        return user.cloud.call("blazar", method, path, body)

    def enrol(self, admin, host):
        return self.call(admin, "POST", "/os-hosts", {"name": host})["host"]

    def lease(self, user, name, end, start="now", **reservation):
        """Creates a lease of one reservation; returns the lease."""
        return self.call(user, "POST", "/leases", {
            "name": name, "start_date": start, "end_date": end, "reservations": [reservation], "events": []})["lease"]

    def status(self, user, lease):
        """Returns the status of a lease, or 404."""
        try:
            return self.call(user, "GET", "/leases/" + lease)["lease"]["status"]
        except Refused as refused:
            if refused.status != 404:
                raise
            return 404


def minute(seconds):
    """Returns the next full minute after some seconds from now: Blazar's times are minutes of UTC."""
    when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds + 59)
    return when.replace(second=0, microsecond=0)


def stamp(when):
    return when.strftime("%Y-%m-%d %H:%M")
