"""A client that uses every function of an engine."""

import datetime
import json
import threading
import time

from harness.clients import Clients
from harness.leases import stamp, wish

# Seconds from the request of a lease to its start: enough to change it before.
START = 5


class Visitor(Clients):
    """A client that repeatedly uses every function."""

    def __init__(self, engine, most, seed, hosts):
        super().__init__(engine, most, seed, wait=(1, 4), length=(8, 20))
        self.spare = "compute-%d" % (hosts + 1)
        self.too_many = hosts + 2
        self.tours = {}
        self.leaves = threading.Event()
        self.which = '["!=", "$hypervisor_hostname", "%s"]' % self.spare
        self.threads += [threading.Thread(target=self._visit, args=(tour,), daemon=True)
                         for tour in (self._live, self._err, self._renew_a_host)]

    def finish(self, seconds):
        self.leaves.set()
        super().finish(seconds)

    def has_seen_everything(self):
        return len(self.tours) == 3

    def _visit(self, tour):
        number = 0
        try:
            while not self.leaves.is_set():
                tour(number)
                number += 1
                self.tours[tour.__name__] = number
        except Exception as failure:  # Reported at the end; a thread must not end in silence.
            self.unexpected.append("visitor: %r" % failure)

    def _live(self, number):
        """Creates a lease, exchanges its reservation, changes it, ends it early, and deletes it when it is over."""
        name = "visit-%d" % number
        lease = self.ask_for(name, START, 10)
        if lease:
            path = "/api/leases/" + lease
            # Before the start, what joins may use the host of the removed one: it is always granted.
            self._exchange(path, "exchange-%d" % number)
            now = datetime.datetime.now(datetime.timezone.utc)
            self._do("PATCH", path, {"name": "renamed-%d" % number}, "rename-%d" % number)
            self._do("PATCH", path, {"end": stamp(now + datetime.timedelta(seconds=START + 20))}, "prolong-%d" % number)
            time.sleep(START + 2)
            self._exchange(path, "exchange-again-%d" % number)
            time.sleep(3)
            self._do("POST", path + "/end", {}, "end-%d" % number)
            while not self.leaves.is_set() and self._status(path) not in ("ended", None):
                time.sleep(0.3)
            self.deleted.add(name)
            self._do("DELETE", path, None, "delete-%d" % number)
        time.sleep(0.5)

    def _exchange(self, path, key):
        """Replaces the reservation by another one, in one change. A lease that starts now rejects that."""
        status, text = self._insist("GET", path, None, None)
        if status == 200:
            leaving = json.loads(text)["reservations"][0]
            joining = {"kind": leaving["kind"], "parameters": leaving["parameters"]}
            self._do("PATCH", path, {"remove": [leaving["id"]], "further": [joining]}, key)

    def _err(self, number):
        """Sends a request that the calendar refuses, and one that is rejected."""
        now = datetime.datetime.now(datetime.timezone.utc)
        self._do("POST", "/api/leases", wish("refused", now, 5, self.too_many), "refused-%d" % number)
        self._do("POST", "/api/leases", wish("rejected", now, -5, 1), "rejected-%d" % number)
        time.sleep(1)

    def _renew_a_host(self, number):
        """Enrols, describes and retires a host that no lease gets."""
        self._do("POST", "/v1/os-hosts", {"name": self.spare}, None, "admin")
        for host in json.loads(self._insist("GET", "/v1/os-hosts", None, None, "admin")[1])["hosts"]:
            if host["hypervisor_hostname"] == self.spare:
                path = "/v1/os-hosts/%s" % host["id"]
                self._do("PUT", path, {"tour": str(number)}, None, "admin")
                self._do("DELETE", path, None, None, "admin")
        time.sleep(0.5)

    def _status(self, path):
        status, text = self._insist("GET", path, None, None)
        return json.loads(text)["status"] if status == 200 else None

    def _do(self, method, path, body, key, user="demo"):
        status, text = self._insist(method, path, body, key, user)
        if status >= 500:
            self.unexpected.append("%d for %s %s: %s" % (status, method, path, text))
        return status
