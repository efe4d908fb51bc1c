"""Kills the embedded database while leases start and end; the engine restarts it. Other accounts have no access."""

import glob
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import time
import zipfile

from chaos.rounds import Rounds
from harness.postgres import Embedded
from harness.waiting import await_that

LONGEST_RESTART = 30
# Supervisors kill an engine after 10 s. This wait is longer, for slow machines.
LONGEST_SHUTDOWN = 20
LONGEST_REFUSAL = 60
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

    def run(self):
        planted = PlantedPrograms(self.trial, self.engine)
        super().run()
        planted.check_unused()
        refuse_foreign_folder(self.trial, self.engine)
        end_with_frozen_database(self.trial, self.engine)
        self.engine.start()
        end_without_programs(self.trial, self.engine)

    def _victim(self, number):
        return "database"

    def _conclude(self):
        keep_strangers_out(self.trial, self.engine)
        super()._conclude()


class PlantedPrograms:
    """
    Programs of another account in a temporary folder for the engine. PostgreSQL's programs were once unpacked and run
    there, in a folder that is named after their archive.
    """

    def __init__(self, trial, engine):
        self.trial = trial
        temporary = os.path.join(trial.folder, "temporary")
        self.marker = os.path.join(trial.folder, "planted-program-ran")
        self.folder = os.path.join(temporary, "embedded-pg")
        self.version = "PG-" + hashlib.md5(archive(engine)).hexdigest()
        programs = os.path.join(self.folder, self.version, "bin")
        os.makedirs(programs)
        for name in ("initdb", "pg_ctl", "postgres"):
            self._plant(os.path.join(programs, name))
        with open(os.path.join(self.folder, self.version, ".exists"), "w", encoding="ascii"):
            pass  # The mark of a complete folder.
        engine.options.append("-Djava.io.tmpdir=" + temporary)

    def _plant(self, path):
        with open(path, "w", encoding="ascii") as program:
            program.write("#!/bin/sh\ntouch %s\n" % self.marker)
        os.chmod(path, 0o755)
        self.trial.check(ends_well(path) and os.path.exists(self.marker), "a planted program leaves a mark: " + path)
        os.remove(self.marker)

    def check_unused(self):
        self.trial.check(not os.path.exists(self.marker), "the engine runs no program of the temporary folder")
        found = os.listdir(self.folder)
        self.trial.check(found == [self.version], "it unpacks no program there", found)


def archive(engine):
    """Returns the archive of PostgreSQL's programs on the class path of an engine."""
    kind, where = engine.program[:2]
    jars = glob.glob(os.path.join(os.path.dirname(where), "lib", "*.jar")) if kind == "-jar" else where.split(":")
    with zipfile.ZipFile(next(jar for jar in jars if "embedded-postgres-binaries-" in jar)) as jar:
        return jar.read(next(name for name in jar.namelist() if name.endswith(".txz")))


def keep_strangers_out(trial, engine):
    """Checks that another account of this machine cannot read the folder or log in. Its owner can do both."""
    # Only the permissions of the engine's own folder may exclude other accounts.
    os.chmod(trial.folder, 0o755)
    server = Embedded(engine.folder)
    address = ("-h", "127.0.0.1", "-p", str(server.port()), "-d", "postgres", "-w", "-Atqc", "SELECT 1")
    # Each refusal below counts only if the same command works otherwise.
    trial.check(ends_well(*STRANGER, "true"), "another account runs programs")
    trial.check(ends_well(*STRANGER, "ls", trial.folder), "another account sees the folder around the engine's")
    trial.check(ends_well(*STRANGER, "psql", "-U", "leasehold", *address, PGPASSWORD=password(server)),
                "another account that has the password logs in as leasehold")
    trial.check(ends_well("cat", server.service_file), "the engine's account reads the database's password")
    trial.check(not ends_well(*STRANGER, "cat", server.service_file), "another account does not")
    trial.check(not ends_well(*STRANGER, "ls", engine.folder), "another account does not see what is in the folder")
    for role in ("leasehold", "postgres"):
        trial.check(not ends_well(*STRANGER, "psql", "-U", role, *address), "another account does not log in as " + role)
    trial.check(not os.path.exists("/tmp/.s.PGSQL.%d" % server.port()), "the database has no socket in /tmp")


def password(server):
    with open(server.service_file, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("=", 1) for line in lines if "=" in line)["password"]


def refuse_foreign_folder(trial, engine):
    """Checks that the engine does not use a data folder of another account; it runs as root here."""
    folder = os.path.join(trial.folder, "foreign")
    os.mkdir(folder, 0o700)
    owner = pwd.getpwnam("nobody")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    command = engine.command("--leasehold.database.folder=" + folder, "--server.port=0", "--leasehold.probes.port=0")
    ended = subprocess.run(command, cwd=trial.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=LONGEST_REFUSAL, check=False)
    trial.check(ended.returncode != 0 and "belongs to another account: nobody" in ended.stdout,
                "a data folder of another account is refused", ended.stdout)
    trial.check(not os.listdir(folder), "and nothing is written there", os.listdir(folder))


def end_with_frozen_database(trial, engine):
    """Checks that SIGTERM ends an engine, and a database that does not react."""
    frozen = Embedded(engine.folder).pid()
    os.kill(frozen, signal.SIGSTOP)
    engine.process.terminate()
    try:
        engine.process.wait(timeout=LONGEST_SHUTDOWN)
    except subprocess.TimeoutExpired as late:
        os.kill(frozen, signal.SIGCONT)
        raise AssertionError("SIGTERM does not end an engine whose database is frozen") from late
    trial.check(True, "SIGTERM ends an engine whose database is frozen")
    await_that(lambda: not runs(frozen), "the database ends with it")


def end_without_programs(trial, engine):
    """Checks that an engine ends if it cannot restart its database."""
    for programs in glob.glob(os.path.join(engine.folder, "postgresql-*")):
        shutil.rmtree(programs)
    os.kill(Embedded(engine.folder).pid(), signal.SIGKILL)
    status = engine.process.wait(timeout=LONGEST_RESTART)
    trial.check(status == 1, "an engine that cannot restart its database ends with status 1", status)


def runs(pid):
    """Returns true if a process runs. An ended process that is not yet reaped has no command."""
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as command:
            return bool(command.read())
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends_well(*command, **environment):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env=dict(os.environ, **environment)).returncode == 0
