"""The commands of the documents, as a reader pastes them, and the answers that the documents show."""

import json
import os
import subprocess
import time

from e2e.blocks import ELISION, Elided, Mismatch, blocks, documents, is_like, match, read, steps
from harness.engine import JAR, OPTIONS, ROOT, java_25
from harness.leases import await_status, create, lease, named
from harness.trial import Trial, arguments
from harness.waiting import PATIENCE

PLUGIN = "infra/tools/sample-plugin/README.md"
ADDRESS = "127.0.0.1:1234"

# The receiver of webhooks in the documents has no address; nothing listens at this one.
RECEIVER = "hooks.example.org"

# Seconds. The stream of events does not end.
STREAM = 3
TIMEOUT_OF_CURL = 28

# Answers with an error status fail.
CURLRC = "silent\nshow-error\nfail-with-body\n"


class Reader:
    """A reader's terminal, in the folder that holds `data`."""

    def __init__(self, folder, port):
        self.folder = folder
        self.port = port
        self.values = {}
        self.state = os.path.join(folder, "exported")
        self.environment = dict(os.environ, CURL_HOME=folder,
                                PATH=os.path.dirname(java_25()) + os.pathsep + os.environ["PATH"])
        for name in ("infra", "lease-command", "resource-adapters"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        with open(os.path.join(folder, ".curlrc"), "w", encoding="utf-8") as settings:
            settings.write(CURLRC)
        open(self.state, "w", encoding="utf-8").close()

    def run(self, command):
        """Runs a command after those before it; returns its output."""
        command = command.replace(ADDRESS, "127.0.0.1:%d" % self.port).replace(RECEIVER, "localhost")
        for shown, value in self.values.items():
            command = command.replace(shown, value)
        if ELISION in command:
            raise Mismatch("the command has an ellipsis")
        if is_stream(command):
            command += " --max-time %d" % STREAM
        done = subprocess.run(["bash", "-c", "set -euo pipefail\n. %s\n%s\nexport -p > %s" % (self.state, command, self.state)],
                              cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0 and not (is_stream(command) and done.returncode == TIMEOUT_OF_CURL):
            raise Mismatch("status %d: %s %s" % (done.returncode, done.stdout[-1000:], done.stderr[-1000:]))
        return done.stdout

    def check(self, command, shown):
        """Runs a command until its answer is like the shown one; a command that changes something runs once."""
        deadline = time.time() + (0 if changes_something(command) else PATIENCE / 6)
        while True:
            try:
                self.values.update(compare(shown, self.run(command)))
                return
            except Mismatch:
                if time.time() > deadline:
                    raise
                time.sleep(0.5)


def is_stream(command):
    return command.startswith("curl -N ")


def changes_something(command):
    return any(word in command for word in (" -d ", " -X ", " create ", "export "))


def compare(shown, actual):
    """Returns the values that the document shows in part."""
    if not shown:
        return {}
    if shown.startswith("id:"):
        return match(Elided(data(shown)).value, json.loads(data(actual)))
    if shown[0] in "{[":
        return match(Elided(shown).value, json.loads(actual))
    if not is_like(shown, actual):
        raise Mismatch("%r is shown, not %r" % (shown, actual))
    return {}


def data(stream):
    """Returns the data of the first event of a stream."""
    lines = [line[len("data:"):] for line in stream.splitlines() if line.startswith("data:")]
    if not lines:
        raise Mismatch("no event: " + stream)
    return lines[0]


def park(trial, engine):
    """Leases a resource of the sample plug-in."""
    status, text = engine.call("admin", "POST", "/api/resources", {"kind": "sample:parking-space", "name": "space-1"})
    trial.check(status == 201, "a resource of the plug-in in the folder is enrolled", text)
    asked = lease("parking", start=0)
    asked.pop("start")
    asked["reservations"] = [{"kind": "sample:parking-space", "parameters": {"amount": 1, "covered": False}}]
    await_status(trial, engine, create(engine, asked), "active", "and leased")
    with open(os.path.join(trial.folder, "parking.log"), encoding="utf-8") as log:
        trial.check(log.read().startswith("given space-1 "), "and given by the plug-in")


def lease_as_another_project(engine):
    asked = lease("rehearsal", start=0)
    asked.pop("start")
    create(engine, asked, "other")


def limit_and_refuse_leases(engine):
    create(engine, lease("next", start=3 * 3600, which=named(1)), "other")
    ask_for_too_much(engine)


def ask_for_too_much(engine):
    asked = lease("too large", start=0)
    asked.pop("start")
    asked["reservations"] = [{"kind": "physical:host", "parameters": {"min": 99, "max": 99}}]
    status, text = engine.call("demo", "POST", "/api/leases", asked)
    if status != 409:
        raise AssertionError(text)


def change_a_webhook(engine):
    status, text = engine.call("demo", "GET", "/api/webhooks")
    webhook = json.loads(text)["webhooks"][0]["id"]
    status, text = engine.call("demo", "PATCH", "/api/webhooks/" + webhook, {"url": "https://127.0.0.1/leases"},
                               {"Leasehold-Reason": "billing asked"})
    if status != 200:
        raise AssertionError(text)


# What a page shows besides what the commands of the pages before it do.
SEEDS = {"infra/docs/calendar.md": lease_as_another_project, "infra/docs/leases.md": limit_and_refuse_leases}
# The webhook of this page is what the audit page shows.
ORDER = ["README.md", "infra/docs/webhooks.md"]
SEEDS["infra/docs/audit.md"] = change_a_webhook


def main():
    given = arguments(12360)
    with Trial("documents") as trial:
        reader = Reader(trial.folder, given.port)
        build = blocks(read(PLUGIN))[0]
        reader.run(build.text)
        trial.check(os.path.exists(os.path.join(trial.folder, "plugins", "parking.jar")), "the sample plug-in is built")
        engine = trial.engine("data", given.port, 20, classpath_file=given.classpath_file, settings={
            "leasehold.webhooks.allowed-networks": "127.0.0.0/8,::1/128",
            "leasehold.plugins.folder": os.path.join(trial.folder, "plugins"),
            "leasehold.plugins.parking.file": os.path.join(trial.folder, "parking.log")})
        if not given.classpath_file:
            # As users start it: from one jar, whose class loader is the parent of the plug-ins'.
            engine.options = list(OPTIONS)
            engine.program = ["-jar", os.path.join(ROOT, JAR)]
        engine.start()
        park(trial, engine)
        for document in ORDER + [each for each in documents() if each not in ORDER]:
            if document in SEEDS:
                SEEDS[document](engine)
            for block in blocks(read(document)):
                if block.language == "console" and not block.reason:
                    run(trial, reader, document, block)


def run(trial, reader, document, block):
    """Runs a block; its later commands may need the first ones, so a failure ends it."""
    where = "%s:%d" % (document, block.line)
    try:
        for command, shown in steps(block.text):
            where = "%s: %s" % (document, command.splitlines()[0][:100])
            reader.check(command, shown)
            trial.count(True, where)
    except (Mismatch, ValueError, subprocess.TimeoutExpired) as failure:
        trial.count(False, where, failure)


if __name__ == "__main__":
    main()
