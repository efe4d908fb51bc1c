"""Kills the embedded database while leases start and end; the engine restarts it. Other accounts have no access."""

import os
import signal
import subprocess
import time

from chaos.rounds import Rounds
from harness.postgres import Embedded

LONGEST_RESTART = 30
STRANGER = ("runuser", "-u", "nobody", "--")


class KilledServer:
    """The embedded server, as a database for rounds: it is killed, and its engine restarts it."""

    def __init__(self, engine):
        self.server = Embedded(engine.folder)

    def stop(self, _how):
        self.killed = self.server.pid()
        os.kill(self.killed, signal.SIGKILL)

    def start(self):
        deadline = time.time() + LONGEST_RESTART
        while time.time() < deadline:
            try:
                if self.server.pid() != self.killed and self.server.psql("SELECT 1"):
                    return
            except (AssertionError, FileNotFoundError, IndexError, ValueError):
                pass  # The database is starting.
            time.sleep(0.1)
        raise AssertionError("the engine does not start its database again")


class EmbeddedRounds(Rounds):
    # The embedded default enrols four hosts by itself.
    first_host = 5

    def __init__(self, trial, engine, rounds, seed):
        super().__init__(trial, engine, KilledServer(engine), rounds, seed)
        self.trial = trial

    def _victim(self, number):
        return "database"

    def _conclude(self):
        keep_strangers_out(self.trial, self.engine)
        super()._conclude()


def keep_strangers_out(trial, engine):
    """Checks that another account of this machine cannot read the folder or log in. Its owner can do both."""
    # Only the permissions of the engine's own folder may exclude other accounts.
    os.chmod(trial.folder, 0o755)
    server = Embedded(engine.folder)
    address = ("-h", "127.0.0.1", "-p", str(server.port()), "-d", "postgres", "-w", "-Atqc", "SELECT 1")
    trial.check(ends_well("cat", server.service_file), "the engine's account reads the database's password")
    trial.check(not ends_well(*STRANGER, "cat", server.service_file), "another account does not")
    trial.check(not ends_well(*STRANGER, "ls", engine.folder), "another account does not see what is in the folder")
    for role in ("leasehold", "postgres"):
        trial.check(not ends_well(*STRANGER, "psql", "-U", role, *address), "another account does not log in as " + role)
    trial.check(not os.path.exists("/tmp/.s.PGSQL.%d" % server.port()), "the database has no socket in /tmp")


def ends_well(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
