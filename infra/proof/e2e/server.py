"""Checks the installed engine: its command line, and one lease before and after a restart on an existing PostgreSQL."""

import datetime
import glob
import json
import os
import re
import subprocess
import time

from harness.engine import JAR, MAVEN, QUIET_CACHE, ROOT
from harness.postgres import version
from harness.trial import Trial, arguments


TESTS = tuple("org.leasehold.command." + name for name in (
    "journal.JournalTest", "journal.DeniedAttemptsTest", "journal.RepeatedCommandsTest",
    "journal.ConcurrentCommandsTest", "journal.EventLogReadersTest",
    "execution.GroupCommitTest", "execution.GroupFailureTest", "execution.GroupIdempotencyTest"))
REPORTS = os.path.join(ROOT, "lease-command", "core", "target", "surefire-reports")
SERVICE = os.path.join(ROOT, "infra", "runtime", "leasehold.service")
# Where the service expects the installed engine.
SERVICE_FOLDER = "/usr/lib/leasehold"

# The loader in the jar needs Java 17.
OLDEST_JAVA = 17
REQUIRED_JAVA = 25
LONGEST_COMMAND = 60


def test_journal(trial, postgres):
    """Runs the tests of the event log on this server; by default they start an embedded one."""
    began = time.time()
    url = "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres" % postgres.port
    subprocess.run([MAVEN, "--batch-mode", "--no-transfer-progress", "-q", "-pl", "lease-command/core", "-am", "test",
                    "-Dtest=" + ",".join(TESTS), "-Dsurefire.failIfNoSpecifiedTests=false",
                    "-Dleasehold.test.postgres=" + url], cwd=ROOT, check=True)
    # Maven succeeds if there is no such test.
    for test in TESTS:
        report = os.path.join(REPORTS, "%s.txt" % test)
        trial.check(os.path.exists(report) and os.path.getmtime(report) > began,
                    "%s has run on PostgreSQL %d" % (test, version()), report)
        with open(report, encoding="utf-8") as lines:
            ran = re.search(r"Tests run: (\d+),.* Skipped: (\d+)", lines.read())
        trial.check(ran and int(ran.group(1)) > int(ran.group(2)) == 0, "and has skipped nothing", report)


def install(engine, folder):
    subprocess.run([os.path.join(ROOT, "infra", "runtime", "install"), folder], check=True)
    # The JVM refuses to start if it cannot use the cache; it may warn if it does not use all of it.
    engine.options = ["-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "-XX:AOTMode=on", QUIET_CACHE,
                      "-XX:AOTCache=" + os.path.join(folder, "leasehold.aot")]
    engine.program = ["-jar", os.path.join(folder, "leasehold.jar")]


class CommandLine:
    """Commands that end at once, in an empty folder. None of them creates `data` there."""

    def __init__(self, trial, engine, installed):
        self.trial = trial
        self.engine = engine
        self.installed = installed
        self.folder = os.path.join(trial.folder, "command-line")
        os.mkdir(self.folder)

    def check(self):
        ended = self.run(*self.engine.command("--help"))
        self.ends(ended, 0, "--help", ended.stdout.startswith("Usage: "))
        ended = self.run(*self.engine.command("--version"))
        self.ends(ended, 0, "--version", ended.stdout.count("\n") == 1 and not os.listdir(self.folder))
        ended = self.run(*self.engine.command("strat"))
        self.ends(ended, 2, "an unknown command",
                  ended.stderr.startswith("Unknown command: strat\n") and "\nUsage: " in ended.stderr)
        # Without UTF-8, the JVM cannot read the name.
        folder = os.path.join(self.folder, "d\u00e4t\u00e4")
        ended = self.run(*self.engine.command("--leasehold.database.folder=" + folder), LC_ALL="C")
        self.ends(ended, 1, "a folder that the locale cannot express", "set LC_ALL=C.UTF-8" in ended.stdout)
        self.refuse_old_java()

    def refuse_old_java(self):
        java = old_java()
        for what, command in (("the built jar", ["-jar", os.path.join(ROOT, JAR)]),
                              ("the installed jar", ["-jar", os.path.join(self.installed, "leasehold.jar")]),
                              ("the command of the service", service_options(self.installed))):
            ended = self.run(java, *command)
            self.ends(ended, 1, what + " on an older Java",
                      re.fullmatch(r"Leasehold needs Java %d .*\.\n" % REQUIRED_JAVA, ended.stderr))

    def run(self, *command, **environment):
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LONGEST_COMMAND, env=dict(os.environ, **environment), check=False)

    def ends(self, ended, status, what, is_explained):
        """Checks that a command ended with its status, the right text, no stack trace and no new file."""
        output = ended.stdout + ended.stderr
        self.trial.check(ended.returncode == status and is_explained and "\tat " not in output,
                         "%s ends with status %d and says why" % (what, status), "%d %s" % (ended.returncode, output))
        self.trial.check(not os.listdir(self.folder), "and makes no folder", os.listdir(self.folder))


def old_java():
    """Returns a Java that runs the loader in the jar, but not the engine; Debian installs one with Maven."""
    for java in ("/usr/bin/java", *sorted(glob.glob("/usr/lib/jvm/*/bin/java"))):
        if os.path.exists(java):
            version = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
            found = re.search(r'version "(\d+)', version)
            if found and OLDEST_JAVA <= int(found.group(1)) < REQUIRED_JAVA:
                return java
    raise AssertionError("no Java from %d to %d in the usual folders" % (OLDEST_JAVA, REQUIRED_JAVA - 1))


def service_options(installed):
    """Returns the options of Java in the service's command, for an engine in another folder."""
    with open(SERVICE, encoding="utf-8") as lines:
        command = next(line for line in lines if line.startswith("ExecStart="))
    return command.replace(SERVICE_FOLDER, installed).split()[1:]


def ask(engine, user, method, path, body=None):
    status, text = engine.call(user, method, path, body)
    if status >= 300:
        raise AssertionError("%s %s: %d %s" % (method, path, status, text))
    return json.loads(text) if text else None


def leases(engine):
    return ask(engine, "demo", "GET", "/v1/leases")["leases"]


def await_active(trial, engine, lease):
    deadline = time.time() + 180
    while True:
        seen = ask(engine, "demo", "GET", "/v1/leases/" + lease)["lease"]["status"]
        if seen == "ACTIVE" or time.time() > deadline:
            return trial.check(seen == "ACTIVE", "the lease is active", seen)
        time.sleep(0.2)


def live(trial, engine):
    engine.start()
    trial.check(True, "the installed engine starts on a PostgreSQL of one's own, by three settings")
    host = ask(engine, "admin", "POST", "/v1/os-hosts", {"name": "compute-1"})["host"]
    trial.check(host["hypervisor_hostname"] == "compute-1", "a host is enrolled")
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=30)
    wish = {"name": "on-a-server", "start_date": "now", "end_date": end.strftime("%Y-%m-%d %H:%M"),
            "reservations": [{"resource_type": "physical:host", "min": 1, "max": 1,
                              "hypervisor_properties": "", "resource_properties": ""}]}
    lease = ask(engine, "demo", "POST", "/v1/leases", wish)["lease"]["id"]
    await_active(trial, engine, lease)
    engine.process.terminate()
    trial.check(engine.process.wait(timeout=40) in (0, 143), "SIGTERM stops it gracefully")
    engine.start()
    await_active(trial, engine, lease)
    ask(engine, "demo", "DELETE", "/v1/leases/" + lease)
    deadline = time.time() + 180
    while leases(engine) and time.time() < deadline:
        time.sleep(0.2)
    trial.check(not leases(engine), "it is deleted")


def main():
    given = arguments(15432)
    with Trial("server") as trial:
        postgres = trial.postgres(given.port).create()
        test_journal(trial, postgres)
        engine = trial.engine("engine", 12345, 4, postgres)
        installed = os.path.join(trial.folder, "installed")
        install(engine, installed)
        CommandLine(trial, engine, installed).check()
        live(trial, engine)


if __name__ == "__main__":
    main()
