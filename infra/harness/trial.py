"""What a script starts is stopped in the end, whatever happens; what it has checked is counted."""

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
    """Of a script; the port is the first of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=port)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--classpath-file", help="names the classes of the engine, instead of its jar")
    for name, options in others.items():
        parser.add_argument("--" + name.replace("_", "-"), **options)
    return parser.parse_args()


class Trial:
    """
    A folder, and the servers and engines in it. It is left behind if something fails. A check that fails ends the script with
    status 1; so does a trial that checks nothing.
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
        # So that what was started is stopped.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
        print("%s: folder %s" % (self.name, self.folder), flush=True)
        return self

    def __exit__(self, kind, failure, traceback):
        # Before anything is said: whoever ended this may have closed its mouth as well.
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
        """Each has the folder of its name; one that is named after another one goes on in its folder."""
        engine = make(os.path.join(self.folder, name), *what, **others)
        engine.name = name
        self.engines.append(engine)
        return engine

    def check(self, holds, what, evidence=""):
        """For what is pointless to go on without."""
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
