"""Checks the installed engine on an existing PostgreSQL: one lease before and after a restart."""

import datetime
import json
import os
import re
import subprocess
import time

from harness.engine import ROOT
from harness.postgres import version
from harness.trial import Trial, arguments


TESTS = ("JournalTest", "GroupCommitTest")
REPORTS = os.path.join(ROOT, "lease-command", "core", "target", "surefire-reports")


def test_journal(trial, postgres):
    """Runs the tests of the event log on this server; by default they start an embedded one."""
    began = time.time()
    url = "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres" % postgres.port
    subprocess.run(["mvn", "--batch-mode", "--no-transfer-progress", "-q", "-pl", "lease-command/core", "-am", "test",
                    "-Dtest=" + ",".join(TESTS), "-Dsurefire.failIfNoSpecifiedTests=false",
                    "-Dleasehold.test.postgres=" + url], cwd=ROOT, check=True)
    # Maven succeeds if there is no such test.
    for test in TESTS:
        report = os.path.join(REPORTS, "org.leasehold.command.journal.%s.txt" % test)
        trial.check(os.path.exists(report) and os.path.getmtime(report) > began,
                    "%s has run on PostgreSQL %d" % (test, version()), report)
        with open(report, encoding="utf-8") as lines:
            ran = re.search(r"Tests run: (\d+),.* Skipped: (\d+)", lines.read())
        trial.check(ran and int(ran.group(1)) > int(ran.group(2)) == 0, "and has skipped nothing", report)


def install(engine, folder):
    subprocess.run([os.path.join(ROOT, "infra", "runtime", "install"), folder], check=True)
    # The JVM refuses to start if it cannot use the cache.
    engine.options = ["-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "-XX:AOTMode=on",
                      "-XX:AOTCache=" + os.path.join(folder, "leasehold.aot")]
    engine.program = ["-jar", os.path.join(folder, "leasehold.jar")]


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
        install(engine, os.path.join(trial.folder, "installed"))
        live(trial, engine)


if __name__ == "__main__":
    main()
