"""The command line of the check."""

import argparse
import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from check import lanes, report, selection
from check.runner import Runner
from check.schedule import planned_minutes


def arguments():
    parser = argparse.ArgumentParser(prog=".ci/run", description="Runs the whole check, or a part of it.")
    parser.add_argument("--changed", nargs="?", const="", metavar="BASE",
                        help="only lanes that the changes since BASE select; BASE is the last full pass by default")
    parser.add_argument("--lane", action="append", metavar="NAME", help="only this lane and those that it needs")
    parser.add_argument("--only", action="append", metavar="NAME",
                        help="only this lane, without those that it needs: what they leave is there already")
    parser.add_argument("--every-case", action="store_true",
                        help="all cases of the lanes that run a share of them, for nights")
    parser.add_argument("--list", action="store_true", help="print the lanes and run nothing")
    return parser.parse_args()


def choose(given, table):
    """Returns the lanes to run, and the reason for each lane that is left out."""
    if given.only:
        chosen = [table.lane(name) for name in given.only]
        why = "not asked for"
    elif given.lane:
        chosen = table.with_needed(given.lane)
        why = "not asked for"
    elif given.changed is not None:
        base = given.changed or selection.last_pass()
        found = selection.since(base, table)
        if found.all_because:
            print("All lanes run: %s" % found.all_because)
            return table.lanes, {}
        for name, reason in found.reasons.items():
            print("%-14s runs: %s" % (name, reason))
        chosen = [lane for lane in table.lanes if lane.name in found.reasons]
        why = "nothing that changed since %s selects it" % base[:12]
    else:
        return table.lanes, {}
    return chosen, {lane.name: why for lane in table.lanes if lane not in chosen}


def turn():
    """Returns the number of the commit, by which the shares of cases take turns; see infra/proof/harness/share.py."""
    counted = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=lanes.ROOT, capture_output=True, text=True,
                             check=True)
    return counted.stdout.strip()


def main():
    began = time.monotonic()
    given = arguments()
    table = lanes.load()
    if given.list:
        for lane in table.lanes:
            print("%-14s %5.1f min  %s" % (lane.name, lane.minutes, lane.run))
        print("by these budgets %.0f minutes, of at most %d" % (
            planned_minutes(table.lanes, table.slots), table.target_minutes))
        return 0
    chosen, skipped = choose(given, table)
    # Lanes and their daemons stop on SIGTERM.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="leasehold-check-")
    # Services of the testbed run as other users.
    os.chmod(folder, 0o755)
    # The first testbed's; `.ci/testbed-2` sets its own.
    own = {"TESTBED_FOLDER": os.path.join(folder, "testbed"), "TESTBED_RELEASE": "trixie"}
    # A single lane may use a testbed that runs already.
    environment = {**own, **os.environ} if given.only else {**os.environ, **own}
    limit_minutes = table.limit_minutes
    if given.every_case:
        limit_minutes = table.every_case_limit_minutes
        chosen = [dataclasses.replace(lane, run=lane.every_case or lane.run) for lane in chosen]
        environment.pop("CHECK_TURN", None)
    else:
        environment["CHECK_TURN"] = turn()
    runner = Runner(chosen, table.slots, 60 * limit_minutes, environment)
    try:
        results = runner.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    not_run = runner.schedule.not_run
    for line in report.table(results, {**not_run, **skipped}):
        print(line)
    if "the limit was over" in not_run.values() or time.monotonic() - began > 60 * limit_minutes:
        print(report.slowest(results))
    for line in report.closing(results, not_run, time.monotonic() - began):
        print(line)
    # Printed last, because only the end of a long log is kept.
    for line in report.reasons(results):
        print(line)
    passed = not not_run and all(result.passed for result in results)
    if passed and not skipped:
        selection.record_pass()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
