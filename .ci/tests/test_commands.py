"""The commands of the documents: each block runs, or says why it does not."""

import os
import sys
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "infra", "proof"))

from e2e import blocks  # pylint: disable=wrong-import-position

# Blocks that do not run. The number may only shrink.
MOST_MARKERS = 15


def shell_blocks():
    return [(name, block) for name in blocks.documents() for block in blocks.blocks(blocks.read(name))
            if block.is_for_a_shell()]


class Documents(unittest.TestCase):

    def test_each_block_for_a_shell_runs_or_says_why_not(self):
        silent = ["%s:%d" % (name, block.line) for name, block in shell_blocks()
                  if block.language != "console" and not block.reason]
        self.assertEqual([], silent)

    def test_blocks_that_do_not_run_become_fewer(self):
        marked = ["%s:%d: %s" % (name, block.line, block.reason) for name, block in shell_blocks() if block.reason]
        self.assertLessEqual(len(marked), MOST_MARKERS, marked)

    def test_each_console_has_commands(self):
        for name, block in shell_blocks():
            if block.language == "console":
                self.assertTrue(blocks.steps(block.text), "%s:%d" % (name, block.line))


class Blocks(unittest.TestCase):

    def test_a_marker_belongs_to_the_block_below_it(self):
        found = blocks.blocks("<!-- not run: needs Kafka -->\n```\na\n```\n\n```console\n$ b\n```")
        self.assertEqual([("", "needs Kafka", "a"), ("console", None, "$ b")],
                         [(block.language, block.reason, block.text) for block in found])

    def test_a_command_ends_where_a_shell_would_run_it(self):
        self.assertEqual([["curl -d '{\n  }' \\\n  x", "{}\n"], ["b", ""]],
                         blocks.steps("$ curl -d '{\n  }' \\\n  x\n{}\n$ b"))

    def test_an_elided_answer_is_read(self):
        shown = blocks.Elided('{"a":"1\u2026","b":[{"c":1.5,\u2026},\u2026],\u2026\n "d":{\u2026},"e":null}').value
        self.assertEqual({"a": "1\u2026", "b": [{"c": 1.5}], "d": {}, "e": None}, shown)

    def test_a_missing_field_is_a_mismatch(self):
        with self.assertRaisesRegex(blocks.Mismatch, r"no field \.b\[0\]\.c|no element"):
            blocks.match({"b": [{"c": 1}]}, {"b": [{"d": 1}]})

    def test_another_type_is_a_mismatch(self):
        for shown, actual in ((1.0, "1"), ("1", 1), (True, 1), ({}, []), (1.0, None)):
            with self.assertRaises(blocks.Mismatch):
                blocks.match({"a": shown}, {"a": actual})

    def test_truth_values_and_statuses_are_compared(self):
        for name, shown, actual in (("a", True, False), ("a", False, True), ("status", "active", "pending"),
                                    ("status", 400.0, 409)):
            with self.assertRaises(blocks.Mismatch):
                blocks.match({"b": [{name: shown}]}, {"b": [{name: actual}]})
        self.assertEqual({}, blocks.match({"a": True, "status": 400.0, "name": "x"},
                                          {"a": True, "status": 400, "name": "y"}))

    def test_an_element_may_be_anywhere_in_the_list(self):
        self.assertEqual({"3d\u2026": "3dc8"},
                         blocks.match([{"id": "3d\u2026", "gpu": "A"}], [{"id": "1"}, {"id": "3dc8", "gpu": "B"}]))

    def test_texts_are_equal_but_for_elisions(self):
        self.assertTrue(blocks.is_like("ACTIVE\n", "ACTIVE"))
        self.assertTrue(blocks.is_like("a\u2026c", "abc"))
        self.assertFalse(blocks.is_like("ACTIVE", "PENDING"))


if __name__ == "__main__":
    unittest.main()
