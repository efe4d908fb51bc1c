"""A node that only answers questions, on a replica of the database that another node writes."""

import argparse
import datetime
import json
import os
import shutil
import sys
import tempfile
import time

from node import Node, enrol
from postgres import Postgres

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "chaos"))
from chaos import ROOT  # noqa: E402
from clients import wish  # noqa: E402

HOSTS = 20
LEASES = 100


class Checks:
    """Counts what holds, and stops at what does not."""

    def __init__(self):
        self.passed = 0

    def __call__(self, holds, what, evidence=""):
        if not holds:
            raise AssertionError("%s: %s" % (what, evidence))
        self.passed += 1
        print("  ok      " + what, flush=True)


def lease(name, start=3600, length=3600, which=""):
    """A wish; times are seconds from now."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return wish(name, now + datetime.timedelta(seconds=start), length, 1, which)


def create(node, wish, user="demo"):
    status, text = node.call(user, "POST", "/api/leases", wish)
    if status != 201:
        raise AssertionError("%d %s" % (status, text))
    return json.loads(text)["id"]


def position(node):
    """The last position that this node's database has."""
    return node.sql("SELECT max(position) AS last FROM domain_event")[0]["last"]


def follow(primary, reader, check):
    """Whoever says what the answer must include never misses it; whoever does not, may."""
    stale, waits = 0, []
    for number in range(LEASES):
        made = create(primary, lease("follow-%d" % number, start=3600 * (number + 1), length=1800))
        stale += reader.call("demo", "GET", "/api/leases/" + made)[0] == 404
        made = create(primary, lease("follow-%d-too" % number, start=3600 * (number + 1) + 1800, length=1800))
        at_least = str(position(primary))
        began = time.time()
        status, text = reader.call("demo", "GET", "/api/leases/" + made, None, {"Leasehold-Position": at_least})
        waits.append(time.time() - began)
        if status != 200:
            raise AssertionError("%d %s" % (status, text))
    waits.sort()
    print("  %d of %d answers without a position were too old; with one they took %.0f ms (median), %.0f ms (p99)"
          % (stale, LEASES, 1000 * waits[len(waits) // 2], 1000 * waits[len(waits) * 99 // 100]), flush=True)
    check(True, "%d answers with a position were all fresh" % LEASES)


def run(nodes, databases, check):
    primary, reader = nodes
    primary.start()
    enrol(primary, 1, HOSTS)
    replica = databases[0].replica(databases[0].port + 1)
    databases.append(replica)
    reader.postgres = replica
    reader.start()
    check(True, "a node that only answers questions starts on a replica")
    follow(primary, reader, check)
    for path in ("/v1/leases", "/api/leases?limit=100", "/api/resources", "/v1/os-hosts",
                 "/api/availability?kind=physical:host&duration=PT1H"):
        status, text = reader.call("admin", "GET", path)
        check(status == 200, "it answers " + path, "%d %s" % (status, text[:300]))
    status, text = reader.call("demo", "POST", "/api/leases", lease("elsewhere"))
    check(status == 503 and "role command" in text, "it says that it changes nothing", text)
    began = time.time()
    status, text = reader.call("demo", "GET", "/api/leases", None,
                               {"Leasehold-Position": str(position(primary) + 1)})
    check(status == 503 and "behind" in text, "it says so when it is behind: after %.1f s" % (time.time() - began), text)
    databases[0].stop("immediate")
    status, text = reader.call("demo", "GET", "/api/leases?limit=5")
    check(status == 200, "it answers while the primary is away", text)
    databases[0].start()
    deadline = time.time() + 60
    while True:
        try:
            made = create(primary, lease("again", start=900 * 3600))
            break
        except (AssertionError, OSError):
            if time.time() > deadline:
                raise
            time.sleep(0.5)
    status, text = reader.call("demo", "GET", "/api/leases/" + made, None,
                               {"Leasehold-Position": str(position(primary))})
    while status == 503 and time.time() < deadline:
        status, text = reader.call("demo", "GET", "/api/leases/" + made, None,
                                   {"Leasehold-Position": str(position(primary))})
    check(status == 200, "it follows again when the primary is back", text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=13220)
    parser.add_argument("--classpath-file")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="leasehold-replica-")
    database = Postgres(arguments.port).create()
    databases = [database]
    nodes = []
    for number, roles in ((1, "command,query,saga"), (2, "query")):
        own = os.path.join(folder, str(number))
        os.makedirs(own)
        url = "jdbc:postgresql://127.0.0.1:%d/leasehold" % (arguments.port + number - 1)
        nodes.append(Node(ROOT, own, "node-%d" % number, arguments.port + 2 + number, HOSTS, database,
                          arguments.classpath_file,
                          {"leasehold.node.roles": roles, "leasehold.database.url": url}))
    check = Checks()
    try:
        run(nodes, databases, check)
    except BaseException:
        for node in nodes:
            print(node.name + ":\n" + node.tail(), file=sys.stderr)
        raise
    finally:
        for node in nodes:
            node.stop()
        for server in reversed(databases):
            server.remove()
    shutil.rmtree(folder)
    print("%d passed, 0 failed" % check.passed)


if __name__ == "__main__":
    main()
