"""Checks backups of a server's database and of the embedded folder, while the engine works and after it stopped."""

import json
import os
import shutil
import subprocess
import time

from harness.engine import Engine
from harness.leases import await_status, create, lease, named, status
from harness.postgres import Embedded
from harness.steps import enrol
from harness.trial import Trial, arguments
from nodes.lives import HOSTS, Lives

# One session, because the server forgets a backup whose session has ended. The restore repairs files that
# were copied while the server wrote, by means of the log, which therefore is copied last.
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


class CloudElsewhere(Engine):
    """An engine whose cloud is in another database: a restored engine finds a cloud that has changed meanwhile."""

    def __init__(self, folder, port, postgres, database, classpath_file):
        super().__init__(folder, port, HOSTS, postgres, classpath_file,
                         {"leasehold.database.url": postgres.url(database),
                          "leasehold.plugins.simulator.url": postgres.url("cloud"),
                          "leasehold.epoch.file": os.path.join(postgres.home, "last-event")})
        self.database = database

    def _psql(self, statements):
        return self.postgres.psql(statements, "cloud" if "simulated_cloud" in statements else self.database)


def server(trial, given):
    """Restores a dump that was made while the engine worked, beside the original, after the engine was killed."""
    print("A server's database", flush=True)
    check = trial.check
    postgres = trial.postgres(given.port).create()
    postgres.make_database("cloud")
    postgres.make_database("restored")
    engine = trial.engine("original", given.port + 1, postgres, "leasehold", given.classpath_file, make=CloudElsewhere)
    engine.start()
    enrol(engine, 1, HOSTS)
    lives = Lives(trial, engine)
    dump = os.path.join(postgres.home, "leasehold.dump")
    postgres.backup(dump)
    check(os.path.getsize(dump) > 0, "the database is dumped while the engine works")

    # The restored database does not know all this, but the cloud does.
    forgotten = create(engine, lease("forgotten", start=1, which=named(7)))
    await_status(trial, engine, forgotten, "active", "after the backup another lease becomes active")
    reservation = json.loads(engine.call("demo", "GET", "/api/leases/" + forgotten)[1])["reservations"][0]["id"]
    lost = engine.sql("SELECT max(position) AS last FROM domain_event")[0]["last"]
    engine.kill()
    time.sleep(max(0.0, lives.due - time.time()))

    postgres.restore(dump, "restored")
    engine = trial.engine("restored", given.port + 2, postgres, "restored", given.classpath_file, make=CloudElsewhere)
    refuse_lost_events(check, engine)
    engine.settings["leasehold.epoch.begin"] = 2
    engine.start()
    check(True, "the engine starts on the restored database in a new epoch")
    answer, text = engine.call("admin", "GET", "/api/events?after=%s" % lost)
    check(answer == 409 and "position-lost" in text, "a reader of lost events gets position-lost", text)
    lives.go_on(engine)
    check(status(engine, forgotten) == 404, "a lease that was made after the backup is unknown")
    strays = engine.sql("SELECT name FROM simulated_cloud.aggregate WHERE name <> 'freepool'")
    known = {row["id"] for row in engine.sql("SELECT DISTINCT reservation_id AS id FROM holder")}
    strays = [row["name"] for row in strays if row["name"] not in known]
    check(strays == [reservation], "what the cloud has of it is found by comparison", strays)
    clean_up(engine, reservation)
    made = create(engine, lease("after", start=1, which=named(7)))
    await_status(trial, engine, made, "active", "its host can be leased when the cloud is cleaned up")


def refuse_lost_events(check, engine):
    """Checks that the engine names the lost event instead of starting."""
    engine.launch()
    status = engine.process.wait(timeout=240)
    with open(engine.log, encoding="utf-8") as log:
        said = log.read()
    check(status == 1 and "The database has lost events" in said and "leasehold.epoch.begin=2" in said,
          "the engine refuses a database that went back in time", said[-2000:])


def clean_up(engine, reservation):
    """Cleans up the simulated cloud, as an operator does by hand in a real cloud."""
    engine.sql("DELETE FROM simulated_cloud.aggregate_host WHERE aggregate = '%s'" % reservation)
    engine.sql("DELETE FROM simulated_cloud.aggregate WHERE name = '%s'" % reservation)
    engine.sql("INSERT INTO simulated_cloud.aggregate_host (aggregate, host, zoned)"
               " VALUES ('freepool', 'compute-7', false)")


def embedded(trial, given):
    """Checks copies of the data folder: of a stopped engine, and of one that works."""
    print("The embedded folder", flush=True)
    place = (given.port + 3, HOSTS, None, given.classpath_file)
    last_event = {"leasehold.epoch.file": os.path.join(trial.folder, "last-event")}
    engine = trial.engine("data", *place, settings=last_event)
    engine.start()
    enrol(engine, 5, HOSTS)
    lives = Lives(trial, engine)
    copy_of_running(engine, os.path.join(trial.folder, "while-it-works"))
    trial.check(True, "the folder is copied while the engine works")
    create(engine, lease("lost"))
    engine.stop()
    shutil.copytree(engine.folder, os.path.join(trial.folder, "when-it-has-stopped"), symlinks=True)
    time.sleep(max(0.0, lives.due - time.time()))
    for copy, settings in (("when-it-has-stopped", {}), ("while-it-works", last_event)):
        engine = trial.engine(copy, *place, settings=settings)
        if settings:
            refuse_lost_events(trial.check, engine)
            engine.settings["leasehold.epoch.begin"] = 2
        engine.start()
        trial.check(True, "the engine starts on the copy " + copy)
        lives.go_on(engine)
        engine.stop()


def copy_of_running(engine, copy):
    label = os.path.join(os.path.dirname(copy), "backup_label")
    done = subprocess.run(["psql", "-v", "ON_ERROR_STOP=1", "-q"],
                          input=RUNNING_BACKUP % label, text=True, capture_output=True, check=False,
                          env=dict(Embedded(engine.folder).environment(), FOLDER=engine.folder, COPY=copy))
    if done.returncode != 0 or done.stderr:
        raise AssertionError(done.stderr)
    shutil.move(label, os.path.join(copy, "postgres", "backup_label"))


def main():
    given = arguments(13230)
    with Trial("backup") as trial:
        embedded(trial, given)
        server(trial, given)


if __name__ == "__main__":
    main()
