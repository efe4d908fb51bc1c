"""The commands in documents: code blocks, their commands, and the answers that the documents show for them."""

import glob
import os
import re
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))

# Languages of blocks that may hold commands. A block without a language is one.
SHELLS = ("", "sh", "console")

MARKER = re.compile(r"<!-- not run: (\S.*) -->")
FENCE = re.compile(r"^```(\w*)$")
ELISION = "\N{HORIZONTAL ELLIPSIS}"


def documents():
    """Returns the documents whose commands run, the README first: its lease is what others show."""
    pages = sorted(glob.glob("infra/docs/*.md", root_dir=ROOT))
    return ["README.md", *pages]


def read(document):
    with open(os.path.join(ROOT, document), encoding="utf-8") as lines:
        return lines.read()


class Block:
    def __init__(self, line, language, reason, text):
        self.line = line
        self.language = language
        self.reason = reason
        self.text = text

    def is_for_a_shell(self):
        return self.language in SHELLS


def blocks(text):
    """Returns the code blocks, each with the reason in the comment before it, if it does not run."""
    found = []
    lines = text.splitlines()
    start = None
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if start is None and fence:
            start = number
        elif start is not None and line == "```":
            marker = MARKER.fullmatch(lines[start - 1]) if start else None
            found.append(Block(start + 1, FENCE.match(lines[start]).group(1), marker.group(1) if marker else None,
                               "\n".join(lines[start + 1:number])))
            start = None
    return found


def steps(text):
    """Returns the commands of a console with the answers below them."""
    found = []
    lines = text.splitlines()
    while lines:
        line = lines.pop(0)
        if line.startswith("$ "):
            command = line[2:]
            while lines and not is_complete(command):
                command += "\n" + lines.pop(0)
            found.append([command, ""])
        elif found:
            found[-1][1] += line + "\n"
        else:
            raise ValueError("no command before: " + line)
    return found


def is_complete(command):
    """Returns whether a shell would run the command, and not wait for its next line."""
    if command.endswith("\\"):
        return False
    done = subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True, check=False)
    return "unexpected E" not in done.stderr


class Elided:
    """JSON in which parts are replaced by an ellipsis."""

    TOKEN = re.compile(r'\s*([][{}:,%s]|"(?:[^"\\]|\\.)*"|[^][{}:,"\s%s]+)' % (ELISION, ELISION))

    def __init__(self, text):
        self.tokens = self.TOKEN.findall(text)
        self.value = self.take()
        if self.tokens:
            raise ValueError("not JSON: " + "".join(self.tokens))

    def take(self):
        token = self.tokens.pop(0)
        if token == "{":
            return dict(self.members())
        if token == "[":
            return list(self.elements())
        if token.startswith('"'):
            return token[1:-1]
        return {"null": None, "true": True, "false": False}[token] if token in ("null", "true", "false") else float(token)

    def skip(self):
        while self.tokens[0] in (ELISION, ","):
            self.tokens.pop(0)

    def members(self):
        self.skip()
        while self.tokens[0] != "}":
            name = self.take()
            if self.tokens.pop(0) != ":":
                raise ValueError("no colon after " + name)
            yield name, self.take()
            self.skip()
        self.tokens.pop(0)

    def elements(self):
        self.skip()
        while self.tokens[0] != "]":
            yield self.take()
            self.skip()
        self.tokens.pop(0)


class Mismatch(AssertionError):
    pass


def match(shown, actual, path=""):
    """
    Compares the shape of an answer with the shown one: each shown field exists, with a value of the same type; each
    shown element is like one of the list. Truth values and fields named status are equal. Returns the values behind
    texts that are shown in part.
    """
    if shown is None:
        return {}
    if isinstance(shown, dict) and isinstance(actual, dict):
        found = {}
        for name, value in shown.items():
            if name not in actual:
                raise Mismatch("no field %s.%s" % (path, name))
            found.update(match(value, actual[name], path + "." + name))
        return found
    if isinstance(shown, list) and isinstance(actual, list):
        found = {}
        for number, element in enumerate(shown):
            found.update(match_any(element, actual, "%s[%d]" % (path, number)))
        return found
    if kind(shown) != kind(actual):
        raise Mismatch("%s is %.200r, shown as %r" % (path, actual, shown))
    if (isinstance(shown, bool) and shown is not actual) or (path.endswith(".status") and shown != actual):
        raise Mismatch("%s is %.200r, shown as %r" % (path, actual, shown))
    return {shown: actual} if isinstance(shown, str) and ELISION in shown and shown != ELISION else {}


def match_any(shown, elements, path):
    failure = "the list is empty"
    for element in elements:
        try:
            return match(shown, element, path)
        except Mismatch as mismatch:
            failure = mismatch
    raise Mismatch("%s: no element is like it: %s" % (path, failure))


def kind(value):
    return {int: float}.get(type(value), type(value))


def is_like(shown, actual):
    """Compares texts; an ellipsis stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, shown.strip().split(ELISION))), actual.strip(), re.DOTALL) is not None
