"""Users who ask for leases while everything around them fails."""

import datetime
import json
import random
import threading
import time


class Clients:
    """Users who ask for leases all the time, and again when they get no answer."""

    def __init__(self, engine, most, seed, wait=(2, 15), length=(20, 45)):
        self.engine = engine
        self.random = random.Random(seed)
        self.wait = wait
        self.length = length
        self.which = ""
        self.names = ["lease-%d" % number for number in range(most)]
        self.others = []
        self.asked = set()
        self.deleted = set()
        self.repeated = 0
        self.unexpected = []
        self.threads = [threading.Thread(target=self._work, args=(part,), daemon=True) for part in range(4)]
        self.wanted = threading.Semaphore(0)
        self.total = 0
        self.next = 0
        self.lock = threading.Lock()

    def start(self):
        for thread in self.threads:
            thread.start()

    def want(self, leases):
        """So many more leases are wanted from now on; none after a kill that did not count."""
        self.total += leases
        for _ in range(leases):
            self.wanted.release()

    def finish(self, seconds):
        """No more is wanted; whatever was wanted has been asked for when this returns."""
        with self.lock:
            del self.names[self.total:]
        self.wanted.release(len(self.threads))
        deadline = time.time() + seconds
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.time()))
            if thread.is_alive():
                raise AssertionError("clients still wait for an answer")
        self.names += self.others

    def _work(self, part):
        try:
            while True:
                self.wanted.acquire()
                with self.lock:
                    number = self.next
                    self.next += 1
                    pause = self.random.uniform(0, 1)
                if number >= len(self.names):
                    return
                time.sleep(pause)
                self._ask(self.names[number])
        except Exception as failure:  # Reported at the end; a thread must not end in silence.
            self.unexpected.append("client %d: %r" % (part, failure))

    def _ask(self, name):
        """Until it is granted: with another window after a refusal, with the same key after silence."""
        attempt = 0
        while True:
            attempt += 1
            with self.lock:
                wait, length, deletes = (self.random.uniform(*self.wait), self.random.uniform(*self.length),
                                         self.random.random() < 0.1)
                hosts = self.random.choice((1, 1, 2))
            start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=wait)
            body = wish(name, start, length, hosts, self.which)
            status, text = self._insist("POST", "/api/leases", body, "%s-%d" % (name, attempt))
            if status == 201:
                break
            if status not in (400, 409, 422):
                self.unexpected.append("%d for %s: %s" % (status, name, text))
                return
            # Refused, or its start is over by now.
            time.sleep(0.5)
        self.asked.add(name)
        if deletes:
            lease = text.split('"id":"', 1)[1].split('"', 1)[0]
            time.sleep(wait)
            status, text = self._insist("DELETE", "/api/leases/" + lease, None, None)
            if status not in (202, 204, 404):
                self.unexpected.append("%d for the deletion of %s: %s" % (status, name, text))
            self.deleted.add(name)

    def ask_for(self, name, wait, length):
        """One more lease, whose time is told."""
        start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=wait)
        status, text = self._insist("POST", "/api/leases", wish(name, start, length, 1, self.which), name)
        if status == 201:
            self.others.append(name)
            self.asked.add(name)
            return json.loads(text)["id"]
        if status not in (400, 409):
            self.unexpected.append("%d for %s: %s" % (status, name, text))
        return None

    def _insist(self, method, path, body, key, user="demo"):
        """Asks again until there is an answer; a repeated request bears the same key."""
        while True:
            try:
                status, text = self.engine.call(user, method, path, body, {"Idempotency-Key": key} if key else None)
                if status != 503:
                    return status, text
            except OSError:
                pass
            self.repeated += 1
            time.sleep(0.3)


def wish(name, start, length, hosts, which=""):
    return {"name": name, "start": stamp(start), "end": stamp(start + datetime.timedelta(seconds=length)),
            "reservations": [{"kind": "physical:host",
                              "parameters": {"min": hosts, "max": hosts,
                                             "hypervisor_properties": which, "resource_properties": ""}}]}


def stamp(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Visitor(Clients):
    """Somebody who does everything that can be done, again and again."""

    def __init__(self, engine, most, seed, hosts):
        super().__init__(engine, most, seed, wait=(1, 4), length=(3, 8))
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
        """A lease that is changed, ended early, and deleted when it is over."""
        name = "visit-%d" % number
        lease = self.ask_for(name, 1, 10)
        if lease:
            path = "/api/leases/" + lease
            now = datetime.datetime.now(datetime.timezone.utc)
            self._do("PATCH", path, {"name": "renamed-%d" % number}, "rename-%d" % number)
            self._do("PATCH", path, {"end": stamp(now + datetime.timedelta(seconds=20))}, "prolong-%d" % number)
            time.sleep(3)
            self._do("POST", path + "/end", {}, "end-%d" % number)
            while not self.leaves.is_set() and self._status(path) not in ("ended", None):
                time.sleep(0.3)
            self.deleted.add(name)
            self._do("DELETE", path, None, "delete-%d" % number)
        time.sleep(0.5)

    def _err(self, number):
        """What the calendar cannot hold, and what nobody may ask for."""
        now = datetime.datetime.now(datetime.timezone.utc)
        self._do("POST", "/api/leases", wish("refused", now, 5, self.too_many), "refused-%d" % number)
        self._do("POST", "/api/leases", wish("rejected", now, -5, 1), "rejected-%d" % number)
        time.sleep(1)

    def _renew_a_host(self, number):
        """A host that no lease gets: enrolled, described, and retired."""
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
