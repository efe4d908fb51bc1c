"""Starts an engine and a database of its own, lets things go wrong, and says what became of it."""

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time

import failpoints
import full_disk
import rounds
from database import Database
from served import ServedEngine

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def on(what, hosts, arguments, trial, disk=contextlib.nullcontext):
    """Passes unless something failed; then its folder is left behind."""
    began = time.time()
    folder = tempfile.mkdtemp(prefix="leasehold-chaos-")
    print("%s: seed %d, folder %s" % (what, arguments.seed, folder), flush=True)
    database = Database(folder, arguments.port + 1)
    os.mkdir(database.data)
    with disk(database.data):
        engine = ServedEngine(ROOT, folder, arguments.port, hosts, arguments.classpath_file, database)
        try:
            database.create()
            database.start()
            verdict = trial(engine, database).run()
        except BaseException:
            print(engine.tail(), file=sys.stderr)
            raise
        finally:
            engine.stop()
            database.stop()
    print("%s: %d passed, %d failed in %d s" % (what, verdict.passed, verdict.failed, time.time() - began))
    if not verdict.failed:
        shutil.rmtree(folder)
    return not verdict.failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--failpoints", action="store_true")
    parser.add_argument("--full-disk", action="store_true")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--port", type=int, default=12398)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--classpath-file")
    arguments = parser.parse_args()
    # So that what was started is stopped.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    seed = arguments.seed
    fine = True
    if arguments.failpoints:
        fine &= on("failpoints", failpoints.HOSTS + 1, arguments,
                   lambda engine, _: failpoints.Failpoints(engine, seed))
    if arguments.full_disk and not full_disk.may_mount():
        print("full disk: SKIPPED, because a disk of its own cannot be mounted here")
    elif arguments.full_disk:
        fine &= on("full disk", full_disk.HOSTS, arguments,
                   lambda engine, database: full_disk.FullDisk(engine, database, seed), full_disk.disk)
    if arguments.rounds:
        fine &= on("rounds", rounds.HOSTS, arguments,
                   lambda engine, database: rounds.Rounds(engine, database, arguments.rounds, seed))
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
