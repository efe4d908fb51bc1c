"""Starts the cloud, or some of its services."""

import argparse
import dataclasses
import sys
import time

from testbed import lifecycle, processes
from testbed.services import Choices


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("services", nargs="*", metavar="SERVICE", help="instead of all")
    parser.add_argument("--hosts", type=int, choices=range(1, 1000), metavar="N", help="how many hosts there are")
    parser.add_argument("--filter", action=argparse.BooleanOptionalAction, help="whether Nova has Leasehold's filter")
    parser.add_argument("--blazar", action=argparse.BooleanOptionalAction, help="whether Blazar runs, at port 1235")
    given = parser.parse_args()
    chosen = {name: value for name, value in (("hosts", given.hosts), ("filter", given.filter), ("blazar", given.blazar))
              if value is not None}
    if given.services and chosen:
        parser.error("what is chosen is for all services, not for some")
    if not lifecycle.is_installed():
        sys.exit("There is nothing to start yet: install comes first.")
    began = time.monotonic()
    with lifecycle.alone():
        choices = dataclasses.replace(Choices.recorded(), **chosen)
        try:
            lifecycle.start(choices, given.services or None)
        except (lifecycle.DoesNotStart, processes.Taken) as failure:
            sys.exit(str(failure))
    print("%s: started in %.0f s" % (", ".join(given.services) or choices.words(), time.monotonic() - began))


if __name__ == "__main__":
    main()
