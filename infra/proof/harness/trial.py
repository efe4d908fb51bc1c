"""The frame of a script: stops everything that the script starts, also after failures, and counts its checks."""

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time

from harness.engine import Engine
from harness.postgres import Postgres


def arguments(port, **others):
    """Returns the arguments of a script; the port is the first of the script's own ports."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=port)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--classpath-file", help="names the classes of the engine, instead of its jar")
    for name, options in others.items():
        parser.add_argument("--" + name.replace("_", "-"), **options)
    return parser.parse_args()


class Trial:
    """
    A folder, and the servers and engines in it. The folder is kept after a failure. A check that fails ends the script
    with status 1; so does a trial that checks nothing.
    """

    def __init__(self, name):
        self.name = name
        self.folder = tempfile.mkdtemp(prefix="leasehold-%s-" % name.replace(" ", "-"))
        self.began = time.time()
        self.engines = []
        self.databases = []
        self.afterwards = contextlib.ExitStack()
        self.passed = 0
        self.failed = 0

    def __enter__(self):
        # Exits by an exception, so that everything that was started is stopped.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
        print("%s: folder %s" % (self.name, self.folder), flush=True)
        return self

    def __exit__(self, kind, failure, traceback):
        # Before anything is printed: the process that ended this one may have closed its output.
        for thing in [*self.engines, *reversed(self.databases)]:
            thing.stop()
        self.afterwards.close()
        if failure:
            for engine in self.engines:
                print("%s:\n%s" % (engine.name, engine.tail()), file=sys.stderr)
        else:
            print("%s: %d passed, %d failed in %d s" % (self.name, self.passed, self.failed, time.time() - self.began))
            if self.failed or not self.passed:
                sys.exit(1 if self.failed else "%s: nothing was checked" % self.name)
            shutil.rmtree(self.folder)

    def postgres(self, port):
        self.databases.append(Postgres(self.folder, port))
        return self.databases[-1]

    def engine(self, name, *what, make=Engine, **others):
        """Creates an engine in the folder of its name; a second one of the same name continues in this folder."""
        engine = make(os.path.join(self.folder, name), *what, **others)
        engine.name = name
        self.engines.append(engine)
        return engine

    def check(self, holds, what, evidence=""):
        """Fails the trial at once if the condition does not hold; for checks that the next steps need."""
        if not holds:
            raise AssertionError("%s: %s" % (what, evidence))
        self.count(True, what)

    def count(self, holds, what, evidence=""):
        if holds:
            self.passed += 1
            print("  ok      " + what, flush=True)
        else:
            self.failed += 1
            print("  FAILED  %s: %s" % (what, str(evidence)[:2000]), flush=True)
