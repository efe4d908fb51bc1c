"""Opens data of the previous commit's engine with this commit's engine: nothing is lost, leases continue."""

import time

from harness.engine import OPTIONS
from harness.steps import enrol
from harness.trial import Trial, arguments
from nodes import previous
from nodes.lives import HOSTS, Lives


# An engine of an earlier commit without one of these files refuses the setting of the port for probes.
PROBES = tuple("infra/runtime/src/main/java/org/leasehold/runtime/%sProbeSettings.java" % package
               for package in ("", "health/"))


class Old:
    """The engine of the previous commit."""

    def __init__(self, revision, jar):
        self.program = ["-jar", jar]
        self.has_probes = any(previous.is_there(revision, path) for path in PROBES)

    def replace(self, engine):
        engine.program, engine.options = self.program, list(OPTIONS)
        if not self.has_probes:
            del engine.settings["leasehold.probes.port"]


def succeed(trial, before, after, by_first_start, end, what):
    """Starts the new engine on the data of the old one after the old one has ended."""
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
    old.replace(before)
    succeed(trial, before, after, 5, before.stop, "this commit's engine opens the folder of the previous one")
    after.stop()


def server(trial, given, old):
    print("A server's database", flush=True)
    postgres = trial.postgres(given.port).create()
    before, after = (trial.engine(name, given.port + 1, HOSTS, postgres) for name in ("before", "after"))
    old.replace(before)
    succeed(trial, before, after, 1, before.kill, "this commit's engine goes on where the previous one was killed")


def main():
    given = arguments(13240, since={"help": "the commit that wrote the data, if not the previous one"},
                      jar={"help": "of that commit, where it is there already"})
    with Trial("upgrade") as trial:
        revision = previous.commit(given.since)
        print("from %s" % previous.git("log", "-1", "--format=%h %s", revision).stdout.strip(), flush=True)
        old = Old(revision, given.jar or previous.jar(revision))
        print("  there after %d s" % (time.time() - trial.began), flush=True)
        embedded(trial, given, old)
        server(trial, given, old)


if __name__ == "__main__":
    main()
