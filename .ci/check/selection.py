"""The lanes that a change selects."""

import dataclasses
import os
import subprocess

from check import modules
from check.lanes import ALL, FOLDER, ROOT

# Paths that no lane reads; a document that a lane reads has its own row in the table.
DOCUMENTS = ()

# Only a full pass writes this file; git ignores it.
LAST_PASS = os.path.join(FOLDER, "last-pass")


@dataclasses.dataclass(frozen=True)
class Selection:
    """Names of lanes, with the reason for each, or the reason why all lanes run."""

    reasons: dict
    all_because: str = ""


def git(*arguments, root=ROOT):
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)


def last_pass(path=LAST_PASS):
    """Returns the commit of the last full pass, or an empty text."""
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def record_pass(path=LAST_PASS):
    """Stores the commit that has passed, unless the working tree differs from it."""
    if git("status", "--porcelain").stdout:
        return
    with open(path, "w", encoding="ascii") as file:
        file.write(git("rev-parse", "HEAD").stdout)


def since(base, table, root=ROOT):
    """Returns the lanes that the commits after the base, and uncommitted changes, select."""
    if not base:
        return Selection({}, "no full pass is on record here, and no base was given")
    if git("merge-base", "--is-ancestor", base, "HEAD", root=root).returncode != 0:
        return Selection({}, "%s is not an ancestor of HEAD in this clone" % base)
    changed = git("diff", "--name-only", "--no-renames", base, root=root).stdout.splitlines()
    untracked = git("ls-files", "--others", "--exclude-standard", root=root).stdout.splitlines()
    return of(changed + untracked, table, modules.read(root))


def of(paths, table, graph):
    """Returns what the paths select: each by the longest prefix in the table's paths, or else by its module."""
    reasons = {}
    for path in paths:
        row = row_of(path, table, graph)
        if row == ALL:
            return Selection({}, "%s changed" % path)
        for name in row:
            reasons.setdefault(name, "%s changed" % path)
    for name in list(reasons):
        for needed in table.with_needed([name]):
            reasons.setdefault(needed.name, "%s needs it" % name)
    return Selection(reasons)


def row_of(path, table, graph):
    if os.path.basename(path) == "pom.xml" or "/db/migration/" in path:
        return ALL
    module = modules.of(path, graph)
    candidates = {prefix: row for prefix, row in table.paths.items() if path.startswith(prefix)}
    if module:
        candidates[module + "/"] = table.modules[module]
    if path.endswith(".md") and path not in candidates:
        return DOCUMENTS
    if not candidates:
        return ALL
    return candidates[max(candidates, key=len)]
