import types
import unittest

from check import report
from check.runner import Result


def result(name, passed, *lines):
    return Result(types.SimpleNamespace(name=name, minutes=1), passed, 1.0, 1.0, lines)


class Reasons(unittest.TestCase):

    def test_name_what_failed_and_end_with_the_last_lines(self):
        found = list(report.reasons([
            result("good", True, "ERROR"),
            result("bad", False, "begin", "a_test() :: FAILED", "AssertionError: 1", *["quiet"] * 50, "1", "2", "3", "4")]))
        self.assertEqual(found, ["bad | a_test() :: FAILED", "bad | AssertionError: 1", "bad | 1", "bad | 2", "bad | 3", "bad | 4"])

    def test_begin_with_failed_tests_and_leave_out_tests_that_passed(self):
        found = list(report.reasons([result(
            "verify", False, *["[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0"] * 20, *["WARN Exception"] * 20,
            "[ERROR] a.BIT.c -- Time elapsed: 1 s <<< ERROR!", "a.Timeout: 10 s", "[ERROR]", "1", "2", "3", "4")]))
        self.assertEqual(found[:3], ["verify | [ERROR] a.BIT.c -- Time elapsed: 1 s <<< ERROR!", "verify | a.Timeout: 10 s",
                                     "verify | WARN Exception"])

    def test_are_few_and_short(self):
        found = list(report.reasons([result("bad", False, *["ERROR " + "x" * 999] * 99)]))
        self.assertEqual(len(found), report.REASONS + report.LAST_LINES)
        self.assertTrue(all(len(line) <= report.LONGEST + len("bad | ") for line in found))
