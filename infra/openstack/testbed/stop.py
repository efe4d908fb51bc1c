"""Stops the services that `start` has started, and nothing else."""

import argparse
import time

from testbed import lifecycle, processes
from testbed.services import Choices


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("services", nargs="*", metavar="SERVICE", help="instead of all")
    parser.add_argument("--kill", action="store_true", help="without a word")
    given = parser.parse_args()
    began = time.monotonic()
    with lifecycle.alone():
        recorded = processes.recorded()
        unknown = sorted(set(given.services) - set(recorded))
        if given.services:
            lifecycle.stop(given.services, given.kill)
        else:
            lifecycle.stop_all(Choices.recorded(), given.kill)
    for name in unknown:
        print("%s was not started" % name)
    stopped = given.services or recorded
    print("%d stopped in %.0f s" % (len(set(stopped) & set(recorded)), time.monotonic() - began))


if __name__ == "__main__":
    main()
