"""Checks two and three nodes on one database: one is killed, one is paused and resumed."""

import random
import time

from harness.clients import Clients
from harness.steps import enrol, make_slow, settle
from harness.trial import Trial, arguments
from harness.verdict import Verdict
from nodes.cluster import Cluster

HOSTS = 100

# Seconds; longer than a silent node keeps its tasks and segments.
PAUSE = 20

LONGEST_TAKE_OVER = 240

IN_HAND = """
    SELECT (SELECT count(*) FROM plugin_task WHERE picked AND picked_by = '%(node)s') AS actions,
           (SELECT count(*) FROM token_entry WHERE owner = '%(node)s') AS segments"""


def await_actions(cluster, node, chance):
    """Waits for a random moment at which the node is in the middle of an action."""
    time.sleep(chance.uniform(0.5, 3))
    deadline = time.time() + 180
    while time.time() < deadline:
        hand = cluster.sql(IN_HAND % {"node": node.name})[0]
        if hand["actions"] and hand["segments"]:
            return
        time.sleep(chance.uniform(0.02, 0.2))
    raise AssertionError("%s has nothing to do" % node.name)


def await_take_over(cluster, node):
    """Waits until other nodes have taken over all its work. Returns this work, and the seconds or None."""
    began = time.time()
    had = cluster.sql(IN_HAND % {"node": node.name})[0]
    while any(cluster.sql(IN_HAND % {"node": node.name})[0].values()):
        if time.time() - began > LONGEST_TAKE_OVER:
            return had, None
        time.sleep(0.1)
    return had, time.time() - began


def lose(cluster, verdict, node, what):
    had, seconds = await_take_over(cluster, node)
    verdict.check(seconds is not None, "%s: its work is taken over" % what, had)
    print("  %s with %d actions and %d segments in hand; taken over after %s s"
          % (what, had["actions"], had["segments"], seconds and round(seconds, 1)), flush=True)


def start(trial, count, given):
    """Starts this number of nodes, one after the other; each has its share before the next one starts."""
    postgres = trial.postgres(given.port).create()
    nodes = []
    for number in range(1, count + 1):
        name = "node-%d" % number
        nodes.append(trial.engine(name, given.port + number, HOSTS, postgres, given.classpath_file,
                                  {"leasehold.node.name": name}))
    cluster = Cluster(nodes, given.seed)
    for number, node in enumerate(nodes):
        node.start()
        seconds = cluster.await_balance([started.name for started in nodes[:number + 1]])
        print("  %s has its share after %.1f s: %s" % (node.name, seconds, cluster.segments()), flush=True)
    return cluster


def live(cluster, verdict, chance, given):
    nodes = cluster.nodes
    # Short: when one node is down, the others continue.
    clients = Clients(cluster, given.leases, given.seed, wait=(2, 10), length=(15, 30))
    clients.start()
    clients.want(given.leases // 2)

    killed = chance.choice(nodes[1:])
    await_actions(cluster, killed, chance)
    killed.kill()
    lose(cluster, verdict, killed, killed.name + " is killed")
    killed.start()
    cluster.await_balance([node.name for node in nodes])

    clients.want(given.leases - given.leases // 2)
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
    given = arguments(13200, nodes={"type": int, "nargs": "+", "default": [2, 3]},
                      leases={"type": int, "default": 80})
    for count in given.nodes:
        with Trial("%d nodes" % count) as trial:
            print("seed %d" % given.seed, flush=True)
            cluster = start(trial, count, given)
            enrol(cluster, 1, HOSTS)
            make_slow(cluster)
            live(cluster, Verdict(trial, cluster, HOSTS), random.Random(given.seed + count), given)


if __name__ == "__main__":
    main()
