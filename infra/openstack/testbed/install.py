"""Creates the whole cloud: packages, databases, users, and its contents for users."""

import argparse
import concurrent.futures
import dataclasses
import os
import shutil
import subprocess
import sys
import time

from testbed import contents, database, identities, lifecycle, packages, place, processes, release
from testbed.services import Choices, layers

LOG = "install"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", action="store_true", help="leave the cloud running: a stop and a start take a minute")
    given = parser.parse_args()
    began = time.monotonic()
    packages.install()
    print("packages: %.0f s" % (time.monotonic() - began), flush=True)
    with lifecycle.alone():
        began = time.monotonic()
        there = lifecycle.is_installed()
        running = there
        try:
            if not there:
                create()
            elif given.start:
                lifecycle.start(Choices.recorded())
            running = there or given.start
        except (lifecycle.DoesNotStart, processes.Taken, Failed) as failure:
            sys.exit(str(failure))
        finally:
            if not running:
                lifecycle.stop_all(Choices())
    print("the cloud in %s%s: %.0f s" % (place.FOLDER, " was there already" if there else "", time.monotonic() - began))


def create():
    """Creates the cloud from scratch; removes the remains of an earlier attempt."""
    choices = Choices()
    lifecycle.stop_all(choices)
    shutil.rmtree(os.path.join(place.FOLDER, "data"), ignore_errors=True)
    # With Blazar's folders: its database is migrated here, too.
    lifecycle.lay_out(dataclasses.replace(choices, blazar=release.HAS_BLAZAR))
    database.create()
    lifecycle.start(choices, ["mariadb", "memcached"])
    database.prepare()
    migrate()
    lifecycle.start(choices, [service.name for layer in layers(choices)[:2] for service in layer])
    identities.create()
    identities.write_clouds()
    lifecycle.start(choices)
    contents.create()
    with open(lifecycle.INSTALLED, "w", encoding="ascii") as record:
        record.write(release.NAME)


def migrate():
    """Runs the database migrations, two at a time."""
    cell0 = ["--database_connection", database.url("nova_cell0")]
    lanes = [
        [("nova", "nova-manage", "api_db", "sync"),
         ("nova", "nova-manage", "cell_v2", "map_cell0", *cell0),
         ("nova", "nova-manage", "db", "sync"),
         ("nova", "nova-manage", "cell_v2", "create_cell", "--name", "cell1"),
         ("cinder", "cinder-manage", "db", "sync")],
        [("keystone", "keystone-manage", "fernet_setup", *owner("keystone")),
         ("keystone", "keystone-manage", "credential_setup", *owner("keystone")),
         ("keystone", "keystone-manage", "db_sync"),
         ("keystone", "keystone-manage", "bootstrap", *identities.bootstrap_arguments()),
         ("placement", "placement-manage", "db", "sync"),
         ("glance", "glance-manage", "db_sync"),
         ("neutron", "neutron-db-manage", "--config-file", place.configuration("ml2.conf"), "upgrade", "heads"),
         ("heat", "heat-manage", "db_sync"),
         *([("blazar", "blazar-db-manage", "upgrade", "head")] if release.HAS_BLAZAR else [])],
    ]
    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool:
        for done in [pool.submit(run_all, lane) for lane in lanes]:
            done.result()


def owner(user):
    return "--keystone-user", user, "--keystone-group", user


def run_all(lane):
    for project, program, *arguments in lane:
        run(project, program, "--config-file", place.configuration(project + ".conf"), *arguments)


class Failed(Exception):
    """A command has failed; the message has its last output."""


def run(project, *command):
    with open(place.log(LOG), "a", encoding="utf-8") as log:
        done = subprocess.run(
            release.inside(project, place.data(project), *command), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            check=False, env={"PATH": processes.PATH, "HOME": place.data(project), "LANG": "C.UTF-8",
                              "PYTHONPATH": place.LIBRARY, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        raise Failed("%s failed; %s ends with:\n%s" % (" ".join(command), place.log(LOG), place.tail(LOG)))


if __name__ == "__main__":
    main()
