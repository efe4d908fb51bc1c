"""Users who request leases while engine and database fail."""

import datetime
import json
import random
import threading
import time

from harness.leases import wish


class Clients:
    """Users who request leases continuously, and repeat a request without an answer."""

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
        """Raises the number of wanted leases; by none after a kill that did not count."""
        self.total += leases
        for _ in range(leases):
            self.wanted.release()

    def finish(self, seconds):
        """Wants no more leases; returns when all wanted leases have been requested."""
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
        """Requests a lease until it is granted: with a new window after a refusal, the same key after no answer."""
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
            # Refused, or its start has passed meanwhile.
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
        """Requests one more lease for a given time."""
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
        """Repeats a request with the same key until there is an answer."""
        while True:
            try:
                status, text = self.engine.call(user, method, path, body, {"Idempotency-Key": key} if key else None)
                if status != 503:
                    return status, text
            except OSError:
                pass
            self.repeated += 1
            time.sleep(0.3)
