"""The documents: every link leads somewhere, no line is long, and the README stays short."""

import os
import re
import subprocess
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
INLINE = re.compile(r"\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"^\[[^\]]+\]: (\S+)", re.MULTILINE)


def documents():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True,
                            text=True, check=True)
    return [name for name in listed.stdout.split() if os.path.exists(os.path.join(ROOT, name))]


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as document:
        return document.read()


def anchors(text):
    """Returns the anchors of the headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in plain}


def dead_links(name, text):
    for link in INLINE.findall(text) + REFERENCE.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if not os.path.exists(os.path.join(ROOT, target)):
            yield link
        elif anchor and target.endswith(".md") and anchor not in anchors(read(target)):
            yield link


def long_lines(text):
    """Returns the lines of more than 120 characters, without tables and code, which cannot be wrapped."""
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [line for line in prose.splitlines() if len(line) > 120 and not line.startswith("|")]


class Documents(unittest.TestCase):

    def test_every_link_leads_somewhere(self):
        self.assertEqual({}, {name: dead for name in documents() if (dead := list(dead_links(name, read(name))))})

    def test_a_dead_link_is_found(self):
        text = "[a](missing.md) [b](infra/docs/limits.md#missing) [c](infra/docs/limits.md#limits) [d](https://example.org)"
        self.assertEqual(["missing.md", "infra/docs/limits.md#missing"], list(dead_links("README.md", text)))

    def test_the_readme_is_short(self):
        self.assertLessEqual(len(read("README.md").splitlines()), 150)

    def test_no_line_of_prose_is_long(self):
        self.assertEqual({}, {name: lines for name in documents() if (lines := long_lines(read(name)))})

    def test_a_long_line_is_found_outside_tables_and_code(self):
        long = "word " * 25
        self.assertEqual([long], long_lines("\n".join(["short", long, "| " + long, "```", long, "```"])))


if __name__ == "__main__":
    unittest.main()
