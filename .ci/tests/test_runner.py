"""Tests of the runner, which runs lanes as processes."""

import io
import os
import signal
import tempfile
import time
import unittest

from check import report
from check.lanes import Lane
from check.runner import Runner


def run(*lanes, slots=2, limit=60):
    runner = Runner(lanes, slots, limit, dict(os.environ), io.StringIO())
    return runner, {result.lane.name: result for result in runner.run()}


class TheRunner(unittest.TestCase):
    def test_a_lane_passes_if_its_command_ends_with_0(self):
        runner, results = run(Lane("good", "true", 1), Lane("bad", "exit 3", 1))
        self.assertTrue(results["good"].passed)
        self.assertFalse(results["bad"].passed)
        self.assertIn("bad FAILED with 3", runner.out.getvalue())

    def test_a_failure_in_the_middle_of_a_command_counts(self):
        _, results = run(Lane("pipe", "false | cat; true", 1))
        self.assertFalse(results["pipe"].passed)

    def test_output_has_the_name_of_its_lane(self):
        runner, _ = run(Lane("talks", "echo hello", 1))
        self.assertIn("talks hello\n", runner.out.getvalue())

    def test_a_lane_gives_way_as_it_says(self):
        runner, _ = run(Lane("polite", "nice", 1, nice=7))
        self.assertIn("polite %d\n" % (7 + os.nice(0)), runner.out.getvalue())

    @unittest.skipUnless(os.path.exists("/proc/self/autogroup"), "this kernel does not group processes by session")
    def test_the_session_of_a_lane_gives_way_too(self):
        runner, _ = run(Lane("polite", "until grep ' nice 7$' /proc/self/autogroup; do sleep 0.1; done", 1, nice=7))
        self.assertRegex(runner.out.getvalue(), r"polite /autogroup-\d+ nice 7\n")

    def test_lanes_after_a_failed_one_do_not_run(self):
        runner, results = run(Lane("first", "false", 1), Lane("second", "true", 1, after=("first",)))
        self.assertEqual(list(results), ["first"])
        self.assertEqual(runner.schedule.not_run, {"second": "it needs first"})

    def test_the_limit_ends_lanes_with_all_their_processes(self):
        with tempfile.TemporaryDirectory() as folder:
            child = os.path.join(folder, "child")
            runner, results = run(Lane("slow", "sleep 300 & echo $! >%s; wait" % child, 1),
                                  Lane("later", "true", 1), slots=1, limit=2)
            self.assertFalse(results["slow"].passed)
            self.assertEqual(runner.schedule.not_run, {"later": "the limit was over"})
            self.assertTrue(ends(child))

    def test_a_lane_that_ends_leaves_no_process(self):
        with tempfile.TemporaryDirectory() as folder:
            child = os.path.join(folder, "child")
            run(Lane("forgets", "sleep 300 & echo $! >%s" % child, 1))
            self.assertTrue(ends(child))

    def test_daemons_live_on_and_do_not_hold_up_the_lane(self):
        with tempfile.TemporaryDirectory() as folder:
            child = os.path.join(folder, "child")
            run(Lane("starts", "setsid sleep 300 & echo $! >%s" % child, 1))
            self.assertTrue(is_running(child))
            with open(child, encoding="ascii") as pid:
                os.kill(int(pid.read()), signal.SIGKILL)

    def test_cleanups_run_whatever_happened(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "cleaned")
            run(Lane("bad", "false", 1, cleanup="touch " + file))
            self.assertTrue(os.path.exists(file))

    def test_a_cleanup_waits_for_the_last_lane_that_needs_its_lane_and_for_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "cleaned")
            runner, _ = run(
                Lane("cloud", "true", 1, cleanup="touch " + file),
                Lane("user", "test ! -e " + file, 1, after=("cloud",)),
                Lane("other", "while [[ ! -e %s ]]; do sleep 0.05; done" % file, 1),
                slots=2)
            self.assertEqual([result.passed for result in runner.results], [True, True, True])


class TheReport(unittest.TestCase):
    def test_a_lane_that_did_not_run_counts_as_failed(self):
        runner, _ = run(Lane("first", "false", 1), Lane("second", "true", 1, after=("first",)))
        lines = list(report.closing(runner.results, runner.schedule.not_run, 1))
        self.assertEqual(lines[0], "FAILED: first, second")
        self.assertEqual(lines[-1], "lanes: 0 passed, 2 failed")

    def test_the_slowest_lane_is_the_one_furthest_beyond_its_budget(self):
        runner, _ = run(Lane("quick", "true", 1), Lane("slow", "sleep 1", 0.001))
        self.assertIn("slow", report.slowest(runner.results))


def is_running(file):
    """Returns true if the process whose number the file contains is alive."""
    with open(file, encoding="ascii") as number:
        stat = "/proc/%d/stat" % int(number.read())
    try:
        with open(stat, encoding="utf-8") as fields:
            return fields.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends(file):
    """Waits for the end of a process; a killed process needs a moment."""
    deadline = time.monotonic() + 30
    while is_running(file) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(file)


if __name__ == "__main__":
    unittest.main()
