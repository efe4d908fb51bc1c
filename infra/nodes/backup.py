"""Backups: of a server's database and of the embedded folder, while the engine works and after it stopped."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from node import Node, enrol
from postgres import Postgres
from replica import ROOT, Checks, create, lease

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "chaos"))
from engine import Engine  # noqa: E402

HOSTS = 8

# One session, because the server forgets a backup whose session is gone. What is copied while the
# server writes is mended at the restore by the log, which therefore is copied last.
RUNNING_BACKUP = """
SELECT pg_backup_start('leasehold', true);
\\! cp -a "$FOLDER" "$COPY" && rm -rf "$COPY"/postgres/pg_wal/* "$COPY"/postgres/postmaster.* "$COPY"/engine.lock
\\t on
\\a
\\o %s
SELECT labelfile FROM pg_backup_stop(false);
\\o
\\! cp -a "$FOLDER"/postgres/pg_wal/. "$COPY"/postgres/pg_wal/
"""


def status(engine, made):
    answer, text = engine.call("demo", "GET", "/api/leases/" + made)
    return json.loads(text)["status"] if answer == 200 else answer


def await_status(engine, made, wanted, check, what):
    deadline = time.time() + 60
    while status(engine, made) != wanted:
        if time.time() > deadline:
            raise AssertionError("%s: it is %s" % (what, status(engine, made)))
        time.sleep(0.2)
    check(True, what)


def named(host):
    return '["==", "$hypervisor_hostname", "compute-%d"]' % host


class Lives:
    """Leases in all states, some of which pass while the engine is away."""

    def __init__(self, engine, check):
        self.check = check
        self.running = create(engine, lease("running", start=1, which=named(1)))
        self.ending = create(engine, lease("ending", start=1, length=15, which=named(2)))
        self.starting = create(engine, lease("starting", start=15, which=named(3)))
        self.later = create(engine, lease("later", start=7200, which=named(4)))
        self.missed = create(engine, lease("missed", start=10, length=4, which=named(5)))
        self.due = time.time() + 17
        await_status(engine, self.running, "active", check, "before the backup a lease is active")
        await_status(engine, self.ending, "active", check, "and one that is to end soon")

    def go_on(self, engine):
        """All that was overdue has happened, once; what was promised is still promised."""
        await_status(engine, self.ending, "ended", self.check, "what was to end meanwhile ends")
        await_status(engine, self.starting, "active", self.check, "what was to start meanwhile starts")
        await_status(engine, self.missed, "ended", self.check, "what was over meanwhile ends")
        started = engine.sql("SELECT event_type FROM domain_event WHERE stream_id = '%s'"
                             " AND event_type = 'LeaseStarting'" % self.missed)
        self.check(not started, "and has never been started", started)
        self.check(status(engine, self.running) == "active", "what was active is active")
        self.check(status(engine, self.later) == "inactive", "what has yet to start has yet to start")
        answer, text = engine.call("demo", "POST", "/api/leases",
                                   lease("second", start=7200, which=named(4)))
        self.check(answer == 409, "no host is promised twice", text)
        twice = engine.sql("SELECT reservation, operation, host FROM simulated_cloud.effect"
                           " WHERE reservation IS NOT NULL GROUP BY 1, 2, 3 HAVING count(*) > 1")
        self.check(not twice, "no action took effect twice", twice)
        create(engine, lease("new", start=1, length=600, which=named(6)))


class CloudElsewhere(Node):
    """Its cloud is not in its database: a restored engine meets a cloud that went on."""

    def _psql(self, statements):
        return self.postgres.psql(statements, database="cloud" if "simulated_cloud" in statements else self.database)

    database = "leasehold"


def node(folder, number, port, postgres, database, classpath_file):
    own = os.path.join(folder, str(number))
    os.makedirs(own)
    address = "jdbc:postgresql://127.0.0.1:%d/" % postgres.port
    made = CloudElsewhere(ROOT, own, "node-%d" % number, port, HOSTS, postgres, classpath_file,
                          {"leasehold.database.url": address + database,
                           "leasehold.plugins.simulator.url": address + "cloud"})
    made.database = database
    return made


def server(arguments, folder, check):
    """A dump that was made while the engine worked, restored beside it when it is dead."""
    print("A server's database", flush=True)
    postgres = Postgres(arguments.port).create()
    postgres.psql("CREATE DATABASE cloud OWNER leasehold", database="postgres")
    postgres.psql("CREATE DATABASE restored OWNER leasehold", database="postgres")
    engines = []
    try:
        engine = node(folder, 1, arguments.port + 1, postgres, "leasehold", arguments.classpath_file)
        engines.append(engine)
        engine.start()
        enrol(engine, 1, HOSTS)
        lives = Lives(engine, check)
        dump = os.path.join(postgres.home, "leasehold.dump")
        postgres.backup(dump)
        check(os.path.getsize(dump) > 0, "the database is dumped while the engine works")

        # All this is forgotten by the restore, but not by the cloud.
        forgotten = create(engine, lease("forgotten", start=1, which=named(7)))
        await_status(engine, forgotten, "active", check, "after the backup another lease becomes active")
        reservation = json.loads(engine.call("demo", "GET", "/api/leases/" + forgotten)[1])["reservations"][0]["id"]
        engine.kill()
        time.sleep(max(0.0, lives.due - time.time()))

        postgres.restore(dump, "restored")
        engine = node(folder, 2, arguments.port + 2, postgres, "restored", arguments.classpath_file)
        engines.append(engine)
        engine.start()
        check(True, "the engine starts on what was restored")
        lives.go_on(engine)
        check(status(engine, forgotten) == 404, "a lease that was made after the backup is unknown")
        strays = engine.sql("SELECT name FROM simulated_cloud.aggregate WHERE name <> 'freepool'")
        known = {row["id"] for row in engine.sql("SELECT DISTINCT reservation_id AS id FROM holder")}
        strays = [row["name"] for row in strays if row["name"] not in known]
        check(strays == [reservation], "what the cloud has of it is found by comparison", strays)
        clean_up(engine, reservation)
        made = create(engine, lease("after", start=1, which=named(7)))
        await_status(engine, made, "active", check, "its host can be leased when the cloud is cleaned up")
    except BaseException:
        for engine in engines:
            print(engine.tail(), file=sys.stderr)
        raise
    finally:
        for engine in engines:
            engine.stop()
        postgres.remove()


def clean_up(engine, reservation):
    """What an operator does by hand in a real cloud."""
    engine.sql("DELETE FROM simulated_cloud.aggregate_host WHERE aggregate = '%s'" % reservation)
    engine.sql("DELETE FROM simulated_cloud.aggregate WHERE name = '%s'" % reservation)
    engine.sql("INSERT INTO simulated_cloud.aggregate_host (aggregate, host, zoned)"
               " VALUES ('freepool', 'compute-7', false)")


def embedded(arguments, folder, check):
    """Copies of the data folder: of a stopped engine, and of one that works."""
    print("The embedded folder", flush=True)
    original = os.path.join(folder, "data")
    os.makedirs(original)
    engine = Engine(ROOT, original, arguments.port + 3, HOSTS, arguments.classpath_file)
    engines = [engine]
    try:
        engine.start()
        enrol(engine, 5, HOSTS)
        lives = Lives(engine, check)
        running = os.path.join(folder, "while-it-works")
        copy_of_running(engine, running)
        check(True, "the folder is copied while the engine works")
        engine.stop()
        stopped = os.path.join(folder, "when-it-has-stopped")
        shutil.copytree(original, stopped, symlinks=True)
        time.sleep(max(0.0, lives.due - time.time()))
        for copy in (running, stopped):
            engine = Engine(ROOT, copy, arguments.port + 3, HOSTS, arguments.classpath_file)
            engines.append(engine)
            engine.start()
            check(True, "the engine starts on the copy " + os.path.basename(copy))
            lives.go_on(engine)
            engine.stop()
    except BaseException:
        for engine in engines:
            print(engine.tail(), file=sys.stderr)
        raise
    finally:
        for engine in engines:
            engine.stop()


def copy_of_running(engine, copy):
    with open(os.path.join(engine.folder, "postgres", "postmaster.pid"), encoding="ascii") as lines:
        port = lines.read().splitlines()[3].strip()
    label = os.path.join(os.path.dirname(copy), "backup_label")
    done = subprocess.run(["psql", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-q"],
                          input=RUNNING_BACKUP % label, text=True, capture_output=True, check=False,
                          env=dict(os.environ, FOLDER=engine.folder, COPY=copy))
    if done.returncode != 0 or done.stderr:
        raise AssertionError(done.stderr)
    shutil.move(label, os.path.join(copy, "postgres", "backup_label"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=13230)
    parser.add_argument("--classpath-file")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="leasehold-backup-")
    check = Checks()
    embedded(arguments, folder, check)
    server(arguments, folder, check)
    shutil.rmtree(folder)
    print("%d passed, 0 failed" % check.passed)


if __name__ == "__main__":
    main()
