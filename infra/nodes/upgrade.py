"""What the previous commit's engine has written is opened by this commit's: nothing is lost, leases go on."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from backup import HOSTS, Engine, Lives
from node import Node, enrol
from postgres import Postgres
from replica import ROOT, Checks

JAR = os.path.join("infra", "runtime", "target", "leasehold.jar")


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def build(revision, folder):
    """A jar of another commit, made in a working tree of its own."""
    tree = os.path.join(folder, "tree")
    git("worktree", "add", "--detach", tree, revision)
    try:
        subprocess.run(["mvn", "--batch-mode", "--no-transfer-progress", "-q", "-DskipTests", "-Dexec.skip",
                        "-pl", "infra/runtime", "-am", "package"], cwd=tree, check=True)
        return shutil.copy(os.path.join(tree, JAR), os.path.join(folder, "old.jar"))
    finally:
        git("worktree", "remove", "--force", tree)


def is_comparable(revision):
    """A shallow clone has no other commit, and an older one's engine knows none of the nodes' settings."""
    return subprocess.run(["git", "-C", ROOT, "cat-file", "-e", revision + ":infra/nodes/upgrade"],
                          capture_output=True, check=False).returncode == 0


class Old:
    """Makes an engine start from another jar."""

    def __init__(self, jar):
        self.jar = jar

    def __call__(self, engine):
        engine.command[engine.command.index("-jar") + 1] = self.jar
        return engine


def embedded(old, arguments, folder, check):
    print("The embedded folder", flush=True)
    data = os.path.join(folder, "data")
    os.makedirs(data)
    before = old(Engine(ROOT, data, arguments.port + 1, HOSTS, None))
    after = Engine(ROOT, data, arguments.port + 1, HOSTS, None)
    try:
        before.start()
        enrol(before, 5, HOSTS)
        lives = Lives(before, check)
        before.stop()
        time.sleep(max(0.0, lives.due - time.time()))
        after.start()
        check(True, "this commit's engine opens the folder of the previous one")
        lives.go_on(after)
    except BaseException:
        print(before.tail() + after.tail(), file=sys.stderr)
        raise
    finally:
        before.stop()
        after.stop()


def server(old, arguments, folder, check):
    print("A server's database", flush=True)
    postgres = Postgres(arguments.port).create()
    nodes = []
    try:
        for number in (1, 2):
            own = os.path.join(folder, "node-%d" % number)
            os.makedirs(own)
            nodes.append(Node(ROOT, own, None, arguments.port + 1 + number, HOSTS, postgres))
        before, after = old(nodes[0]), nodes[1]
        before.start()
        enrol(before, 1, HOSTS)
        lives = Lives(before, check)
        before.kill()
        time.sleep(max(0.0, lives.due - time.time()))
        after.start()
        check(True, "this commit's engine goes on where the previous one was killed")
        lives.go_on(after)
    except BaseException:
        for node in nodes:
            print(node.tail(), file=sys.stderr)
        raise
    finally:
        for node in nodes:
            node.stop()
        postgres.remove()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--since", default="HEAD~1", help="the commit that wrote the data")
    parser.add_argument("--jar", help="of that commit, where it is there already")
    parser.add_argument("--port", type=int, default=13240)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    if not is_comparable(arguments.since):
        print("SKIPPED: %s is not in this clone, or older than this check" % arguments.since)
        return
    folder = tempfile.mkdtemp(prefix="leasehold-upgrade-")
    began = time.time()
    print("from %s" % git("log", "-1", "--format=%h %s", arguments.since), flush=True)
    old = Old(arguments.jar or build(arguments.since, folder))
    print("  built in %d s" % (time.time() - began), flush=True)
    check = Checks()
    embedded(old, arguments, folder, check)
    server(old, arguments, folder, check)
    shutil.rmtree(folder)
    print("%d passed, 0 failed" % check.passed)


if __name__ == "__main__":
    main()
