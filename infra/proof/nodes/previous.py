"""The engine of an earlier commit: found in the history, which a shallow clone fetches, and built once."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness.engine import JAR, MAVEN, ROOT

# All inputs of the engine's build, also at their former places. Nothing else is exported, so nothing else can be in a
# cached jar.
INPUTS = (":(glob)**/pom.xml", ":(glob).mvn/**", ":(glob)**/src/main/**", ":(glob)infra/openapi/**",
          ":(glob)infra/docs/openapi/**", ":(glob)infra/docs/rating/*.json")
IS_INPUT = re.compile(r"(^|/)pom\.xml$|^\.mvn/|(^|/)src/main/|^infra/(docs/)?openapi/|^infra/docs/rating/[^/]+\.json$")

# The commit was checked when it was made.
UNCHECKED = ("-DskipTests", "-Dexec.skip", "-Derror-prone.checks=-XepDisableAllChecks", "-Derror-prone.null-checks=")

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "leasehold", "engines")
KEPT = 3


def git(*arguments, check=True):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        sys.exit("git %s: %s" % (" ".join(arguments), done.stderr.strip()))
    return done


def commit(since=None):
    """
    Returns the requested commit, or the parent of the last commit that changed the engine: a commit of documents alone
    is no upgrade. For a merge, the parent is the first one, which the others were merged into.
    """
    found = resolve(since)
    for more in (("--deepen=20",), ("--unshallow",)):
        if found or git("rev-parse", "--is-shallow-repository").stdout.strip() == "false":
            break
        fetched = git("fetch", "--quiet", *more, "origin", check=False)
        if fetched.returncode != 0:
            sys.exit("The previous commit is not in this shallow clone, and git cannot fetch it from origin: "
                     + fetched.stderr.strip())
        found = resolve(since)
    if not found:
        sys.exit("There is no commit %s in this clone" % (since or "before the last one that changed the engine"))
    if not any(is_there(found, script) for script in ("infra/proof/nodes/upgrade", "infra/nodes/upgrade")):
        sys.exit("%s is older than this check: its engine does not know the settings of nodes" % found)
    return found


def resolve(since):
    """Returns the full id; None if the commit is not in this clone."""
    if not since:
        since = git("log", "-1", "--first-parent", "--format=%H", "HEAD", "--", *INPUTS).stdout.strip() + "~1"
    found = git("rev-parse", "--quiet", "--verify", since + "^{commit}", check=False)
    return found.stdout.strip() if found.returncode == 0 else None


def is_there(revision, path):
    """Returns true if a commit has a file."""
    return git("cat-file", "-e", "%s:%s" % (revision, path), check=False).returncode == 0


def jar(revision):
    """Returns a jar of the commit: builds its inputs, unless a jar of the same inputs is in the user's cache."""
    inputs = [line for line in git("-c", "core.quotePath=false", "ls-tree", "-r", "--full-tree", revision).stdout.splitlines()
              if IS_INPUT.search(line.split("\t", 1)[1])]
    kept = os.path.join(CACHE, hashlib.sha256("\n".join(inputs).encode()).hexdigest() + ".jar")
    if os.path.exists(kept):
        os.utime(kept)
        return kept
    os.makedirs(CACHE, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leasehold-previous-") as tree:
        export(revision, [line.split("\t", 1)[1] for line in inputs], tree)
        subprocess.run([MAVEN, "--batch-mode", "--no-transfer-progress", "-q", "-T", "2", *UNCHECKED,
                        "-pl", "infra/runtime", "-am", "package"], cwd=tree, check=True)
        whole = os.path.join(CACHE, "%d.part" % os.getpid())
        shutil.copy(os.path.join(tree, JAR), whole)
        os.replace(whole, kept)
    forget()
    return kept


def export(revision, paths, tree):
    """Exports files, not as a git working tree: several processes must not change the clone's list of these at once."""
    archive = os.path.join(tree, "inputs.tar")
    git("--literal-pathspecs", "archive", "--output=" + archive, revision, "--", *paths)
    shutil.unpack_archive(archive, tree)


def forget():
    """Deletes all but the latest jars from the cache."""
    jars = [os.path.join(CACHE, name) for name in os.listdir(CACHE) if name.endswith(".jar")]
    for each in sorted(jars, key=os.path.getmtime)[:-KEPT]:
        os.remove(each)
