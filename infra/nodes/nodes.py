"""Two and three nodes on one database: one is killed, one stands still and wakes up again."""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time

from node import Cluster, Node
from postgres import Postgres

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "chaos"))
from chaos import ROOT  # noqa: E402
from clients import Clients  # noqa: E402
from rounds import HOSTS, enrol_hosts, make_slow, settle  # noqa: E402
from verdict import Verdict  # noqa: E402

# Longer than a silent node keeps what it has taken.
PAUSE = 20
TAKEN_OVER_WITHIN = 15

IN_HAND = """
    SELECT (SELECT count(*) FROM plugin_task WHERE picked AND picked_by = '%(node)s') AS actions,
           (SELECT count(*) FROM token_entry WHERE owner = '%(node)s') AS segments"""


def await_actions(cluster, node, chance):
    """Waits for a moment at which the node is in the middle of something; the moment is random."""
    time.sleep(chance.uniform(0.5, 3))
    deadline = time.time() + 60
    while time.time() < deadline:
        hand = cluster.sql(IN_HAND % {"node": node.name})[0]
        if hand["actions"] and hand["segments"]:
            return
        time.sleep(chance.uniform(0.02, 0.2))
    raise AssertionError("%s has nothing to do" % node.name)


def await_take_over(cluster, node):
    """Until others have everything that it had in hand; tells what that was, and how long it took."""
    began = time.time()
    had = cluster.sql(IN_HAND % {"node": node.name})[0]
    while any(cluster.sql(IN_HAND % {"node": node.name})[0].values()):
        if time.time() - began > 60:
            raise AssertionError("nobody takes over from %s" % node.name)
        time.sleep(0.1)
    return had, time.time() - began


def lose(cluster, verdict, node, what):
    had, seconds = await_take_over(cluster, node)
    print("  %s with %d actions and %d segments in hand; taken over in %.1f s"
          % (what, had["actions"], had["segments"], seconds), flush=True)
    verdict.check(seconds < TAKEN_OVER_WITHIN, "%s: its work is taken over in less than %d s: %.1f s"
                  % (what, TAKEN_OVER_WITHIN, seconds), seconds)


def round_of(count, arguments, folder):
    """A life of so many nodes."""
    chance = random.Random(arguments.seed + count)
    postgres = Postgres(arguments.port).create()
    nodes = []
    for number in range(1, count + 1):
        own = os.path.join(folder, "%d-of-%d" % (number, count))
        os.makedirs(own)
        nodes.append(Node(ROOT, own, "node-%d" % number, arguments.port + number, HOSTS, postgres,
                          arguments.classpath_file))
    cluster = Cluster(nodes, arguments.seed)
    verdict = Verdict(cluster, HOSTS)
    try:
        for node in nodes:
            node.start()
            seconds = cluster.await_balance([started.name for started in nodes if started.process])
            print("  %s has its share after %.1f s: %s" % (node.name, seconds, cluster.segments()), flush=True)
        enrol_hosts(cluster, HOSTS)
        make_slow(cluster)
        live(cluster, verdict, chance, arguments)
    except BaseException:
        for node in nodes:
            print(node.name + ":\n" + node.tail(), file=sys.stderr)
        raise
    finally:
        for node in nodes:
            node.stop()
        postgres.remove()
    return verdict


def live(cluster, verdict, chance, arguments):
    nodes = cluster.nodes
    clients = Clients(cluster, arguments.leases, arguments.seed)
    clients.start()
    clients.want(arguments.leases // 2)

    killed = chance.choice(nodes[1:])
    await_actions(cluster, killed, chance)
    killed.kill()
    lose(cluster, verdict, killed, killed.name + " is killed")
    killed.start()
    cluster.await_balance([node.name for node in nodes])

    clients.want(arguments.leases - arguments.leases // 2)
    paused = chance.choice(nodes)
    await_actions(cluster, paused, chance)
    paused.pause()
    stopped = time.time()
    lose(cluster, verdict, paused, paused.name + " stands still")
    time.sleep(max(0.0, stopped + PAUSE - time.time()))
    paused.resume()
    print("  %s goes on after %.1f s" % (paused.name, time.time() - stopped), flush=True)
    seconds = cluster.await_balance([node.name for node in nodes])
    print("  it has its share again after %.1f s" % seconds, flush=True)

    clients.finish(600)
    settle(cluster)
    print("  %d requests were repeated because a node was away" % clients.repeated)
    verdict.give(clients)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--leases", type=int, default=80)
    parser.add_argument("--port", type=int, default=13200, help="the database's; nodes have the next ones")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--classpath-file")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    began = time.time()
    folder = tempfile.mkdtemp(prefix="leasehold-nodes-")
    print("seed %d, folder %s" % (arguments.seed, folder), flush=True)
    passed = failed = 0
    for count in arguments.nodes:
        print("%d nodes" % count, flush=True)
        verdict = round_of(count, arguments, folder)
        passed += verdict.passed
        failed += verdict.failed
    print("%d passed, %d failed in %d s" % (passed, failed, time.time() - began))
    if failed:
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
