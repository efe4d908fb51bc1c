"""What the previous commit's engine has written is opened by this commit's: nothing is lost, leases go on."""

import os
import shutil
import subprocess
import time

from harness.engine import JAR, ROOT
from harness.steps import enrol
from harness.trial import Trial, arguments
from nodes.lives import HOSTS, Lives

# It was looked at when it was committed.
UNCHECKED = ("-DskipTests", "-Dexec.skip", "-Derror-prone.checks=-XepDisableAllChecks", "-Derror-prone.null-checks=")


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def build(revision, folder):
    """A jar of another commit, made in a working tree of its own."""
    tree = os.path.join(folder, "tree")
    git("worktree", "add", "--detach", tree, revision)
    try:
        subprocess.run(["mvn", "--batch-mode", "--no-transfer-progress", "-q", "-T", "2", *UNCHECKED,
                        "-pl", "infra/runtime", "-am", "package"], cwd=tree, check=True)
        return shutil.copy(os.path.join(tree, JAR), os.path.join(folder, "old.jar"))
    finally:
        git("worktree", "remove", "--force", tree)


def is_comparable(revision):
    """A shallow clone has no other commit, and an older one's engine knows none of the nodes' settings."""
    return subprocess.run(["git", "-C", ROOT, "cat-file", "-e", revision + ":infra/nodes/upgrade"],
                          capture_output=True, check=False).returncode == 0


def succeed(trial, before, after, by_first_start, end, what):
    """The new engine takes over what the old one leaves when it has come to its end."""
    before.start()
    enrol(before, by_first_start, HOSTS)
    lives = Lives(trial, before)
    end()
    time.sleep(max(0.0, lives.due - time.time()))
    after.start()
    trial.check(True, what)
    lives.go_on(after)


def embedded(trial, given, old):
    print("The embedded folder", flush=True)
    before, after = (trial.engine("data", given.port + 1, HOSTS) for _ in range(2))
    before.program = old
    succeed(trial, before, after, 5, before.stop, "this commit's engine opens the folder of the previous one")
    after.stop()


def server(trial, given, old):
    print("A server's database", flush=True)
    postgres = trial.postgres(given.port).create()
    before, after = (trial.engine(name, given.port + 1, HOSTS, postgres) for name in ("before", "after"))
    before.program = old
    succeed(trial, before, after, 1, before.kill, "this commit's engine goes on where the previous one was killed")


def main():
    given = arguments(13240, since={"default": "HEAD~1", "help": "the commit that wrote the data"},
                      jar={"help": "of that commit, where it is there already"})
    if not is_comparable(given.since):
        print("SKIPPED: %s is not in this clone, or older than this check" % given.since)
        return
    with Trial("upgrade") as trial:
        print("from %s" % git("log", "-1", "--format=%h %s", given.since), flush=True)
        old = ["-jar", given.jar or build(given.since, trial.folder)]
        print("  built in %d s" % (time.time() - trial.began), flush=True)
        embedded(trial, given, old)
        server(trial, given, old)


if __name__ == "__main__":
    main()
