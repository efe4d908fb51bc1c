"""Fills the disk of the database while leases start and end, and frees its space again."""

import collections
import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time

from harness.clients import Clients
from harness.steps import enrol, settle
from harness.verdict import Verdict

HOSTS = 20
LEASES = 40
MOUNT = ("mount", "-t", "tmpfs", "-o", "size=400m", "leasehold-chaos")
FULL_FOR = 15
LONGEST_WAY = 120


def require_mount():
    """Ends the script with the reason, if no disk can be mounted here."""
    with tempfile.TemporaryDirectory() as folder, disk(folder):
        pass


@contextlib.contextmanager
def disk(folder):
    """Mounts a separate disk in the folder, so that no other disk fills up."""
    mounted = subprocess.run([*MOUNT, folder], capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        sys.exit("full disk: a disk of its own cannot be mounted here: " + mounted.stderr.strip())
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


class FullDisk:
    def __init__(self, trial, engine, database, seed):
        self.engine = engine
        self.database = database
        self.filler = os.path.join(database.data, "filler")
        # Leases last longer than the disk is full: at least half of them become active, on a slow machine, too.
        self.clients = Clients(engine, LEASES, seed, wait=(1, 4), length=(FULL_FOR + 5, FULL_FOR + 15))
        self.answers = collections.Counter()
        self.full = threading.Event()
        self.unready = 0
        self.verdict = Verdict(trial, engine, HOSTS)

    def run(self):
        self.engine.start()
        enrol(self.engine, 1, HOSTS)
        self.clients.start()
        self.clients.want(LEASES // 2)
        self._fill()
        self.clients.want(LEASES // 2)
        self._ask_until_it_hurts()
        os.remove(self.filler)
        fell = not self.database.answers()
        if fell:
            self.database.stop("immediate")
            self.database.start()
        print("  answers while it was full: %s; the server %s" % (
            dict(self.answers), "had to be started again" if fell else "lived through it"), flush=True)
        self.clients.finish(600)
        settle(self.engine)
        self.verdict.check(self.answers[503] > 0, "callers got 503 while it was full", self.answers)
        self.verdict.check(not any(status >= 500 and status != 503 for status in self.answers),
                           "and nothing else", self.answers)
        self.verdict.check(self.unready > 0, "the node was not ready while it was full", self.unready)
        self.verdict.check(self.engine.is_ready(), "and is ready again", None)
        self.verdict.give(self.clients)

    def _fill(self):
        """Fills the disk to the last byte; the database keeps the space that it has allocated already."""
        with open(self.filler, "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"\0" * 65536)
            except OSError:
                pass

    def _ask_until_it_hurts(self):
        deadline = time.time() + LONGEST_WAY
        while time.time() < deadline and not self.answers[503]:
            self._ask()
        hurts_since = time.time()
        while time.time() < hurts_since + FULL_FOR:
            self._ask()
            self.unready += not self.engine.is_ready()
            time.sleep(0.1)

    def _ask(self):
        """Sets properties of a host, which take space and change no lease."""
        properties = {"filling%d" % number: os.urandom(120).hex() for number in range(80)}
        status, _ = self.engine.call("admin", "PATCH", "/api/resources/1", {"set": properties})
        self.answers[status] += 1
