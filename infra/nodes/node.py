"""The engine as one of several processes on one PostgreSQL."""

import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "chaos"))
from engine import Engine  # noqa: E402

USERS = (("admin", "admin", "admin"), ("demo", "demo", "member"), ("other", "other", "member"))


def enrol(engine, first, last):
    """The embedded default has enrolled some of its hosts itself."""
    for number in range(first, last + 1):
        status, text = engine.call("admin", "POST", "/v1/os-hosts", {"name": "compute-%d" % number})
        if status != 201:
            raise AssertionError(text)


class Node(Engine):
    """One process; what is its own is a name, a port and a log."""

    def __init__(self, root, folder, name, port, hosts, postgres, classpath_file=None, settings=()):
        super().__init__(root, folder, port, hosts, classpath_file)
        self.name = name
        self.postgres = postgres
        given = {"leasehold.database.url": postgres.url(),
                 "leasehold.database.user": "leasehold", "leasehold.database.password": "nodes",
                 **dict(settings)}
        if name:
            given["leasehold.node.name"] = name
        for index, (user, project, role) in enumerate(USERS):
            prefix = "leasehold.gateway.users[%d]." % index
            given.update({prefix + "name": user, prefix + "password": "{noop}" + user, prefix + "user-id": user,
                          prefix + "project-id": project, prefix + "project-name": project,
                          prefix + "roles": role})
        self.command = self.command + ["--%s=%s" % setting for setting in given.items()]

    def pause(self):
        """Stands still as if its machine did: its connections stay open."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        if self.is_running():
            self.resume()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _passwords(self):
        return {user: user for user, _, _ in USERS}

    def _psql(self, statements):
        return self.postgres.psql(statements)


class Cluster:
    """Several nodes behind something that hands requests out at random."""

    def __init__(self, nodes, seed):
        self.nodes = nodes
        self.random = random.Random(seed)

    def call(self, user, method, path, body=None, headers=None):
        return self.random.choice(self.nodes).call(user, method, path, body, headers, timeout=8)

    def sql(self, statement):
        return self.nodes[0].sql(statement)

    def rows_after(self, change, question):
        return self.nodes[0].rows_after(change, question)

    def segments(self):
        """How many segments each node has, by processor."""
        shares = {}
        for row in self.sql("SELECT processor_name AS processor, owner, count(*) AS segments FROM token_entry"
                            " GROUP BY processor_name, owner ORDER BY processor_name, owner"):
            shares.setdefault(row["processor"], {})[row["owner"]] = row["segments"]
        return shares

    def await_balance(self, names):
        """Until each of these has its share of each processor, and nobody else has any; tells how long."""
        began = time.time()
        while True:
            shares = self.segments()
            balanced = all(set(of) == set(names) and max(of.values()) - min(of.values()) <= 1
                           for of in shares.values())
            if balanced:
                return time.time() - began
            if time.time() - began > 60:
                raise AssertionError("not balanced: %s" % shares)
            time.sleep(0.1)
