"""The shares of cases: they take turns, and together they have each case once."""

import os
import subprocess
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARES = ["host instance", "network", "server volume"]


def share(turn):
    environment = {name: value for name, value in os.environ.items() if name != "CHECK_TURN"}
    if turn is not None:
        environment["CHECK_TURN"] = str(turn)
    printed = subprocess.run([os.path.join(ROOT, "infra", "proof", "harness", "share"), *SHARES], env=environment,
                             capture_output=True, text=True, check=True)
    return printed.stdout.split()


class Shares(unittest.TestCase):

    def test_as_many_checks_as_there_are_shares_run_each_case_once(self):
        found = [share(turn) for turn in (1124, 1125, 1126)]
        self.assertEqual(sorted(each.split() for each in SHARES), sorted(found))

    def test_without_a_turn_all_cases_run(self):
        self.assertEqual(" ".join(SHARES).split(), share(None))


if __name__ == "__main__":
    unittest.main()
