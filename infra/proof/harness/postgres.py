"""The host's PostgreSQL on the loopback interface, run by another user than root where we are root."""

import functools
import glob
import json
import os
import pwd
import signal
import subprocess
import time

PROGRAMS = "/usr/lib/postgresql/%s/bin"
OLDEST = 15
ACCOUNT = "postgres"
SETTINGS = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"

# The client ends at the first statement that fails, and prints only rows.
FOR_SCRIPTS = ("-v", "ON_ERROR_STOP=1", "-Atq")

# The engine's user, which owns one database and nothing else.
USER = "leasehold"
PASSWORD = "leasehold"


@functools.cache
def version():
    """Returns the newest installed version: Debian 12 has 15, Debian 13 has 17."""
    newest = max((int(path.split("/")[-3]) for path in glob.glob(PROGRAMS % "*" + "/postgres")), default=0)
    if newest < OLDEST:
        raise AssertionError("no PostgreSQL %d or newer in %s" % (OLDEST, PROGRAMS % "*"))
    return newest


def program(name):
    return os.path.join(PROGRAMS % version(), name)


class Postgres:
    """A server with a folder of its own, which is no child process of a script."""

    def __init__(self, folder, port):
        self.port = port
        self.home = os.path.join(folder, "postgres-%d" % port)
        self.data = os.path.join(self.home, "data")
        os.chmod(folder, 0o755)
        os.makedirs(self.data)
        give(self.home)

    def create(self):
        """Creates an empty server with the engine's user and database."""
        give(self.data)
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        self.psql("CREATE ROLE %s LOGIN PASSWORD '%s'" % (USER, PASSWORD), database="postgres")
        self.make_database("leasehold")
        return self

    def make_database(self, name):
        self.psql("CREATE DATABASE %s OWNER %s" % (name, USER), database="postgres")

    def start(self):
        """Starts the server; returns when it has recovered."""
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "120", "-l", os.path.join(self.home, "log"),
                 "-o", "-p %d %s" % (self.port, SETTINGS), "start")

    def stop(self, how="fast"):
        """Stops the server, without a clean shutdown if `how` is `immediate`; does nothing if it does not run."""
        if os.path.exists(os.path.join(self.data, "postmaster.pid")):
            self.run("pg_ctl", "-D", self.data, "-w", "-m", how, "stop")

    def answers(self):
        return subprocess.run([program("pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)],
                              capture_output=True, check=False).returncode == 0

    def become_replica_of(self, leader):
        """Makes this server a readable replica of the other one."""
        give(self.data)
        self.run("pg_basebackup", "-h", "127.0.0.1", "-p", str(leader.port), "-U", "postgres",
                 "-D", self.data, "-R", "-X", "stream", "-c", "fast")
        self.start()
        return self

    def backup(self, file):
        """Dumps one consistent state while the engine works."""
        self.run("pg_dump", *self.address(), "-Fc", "-f", file, "leasehold")

    def restore(self, file, database):
        self.run("pg_restore", *self.address(), "--exit-on-error", "-d", database, file)

    def address(self):
        return ["-h", "127.0.0.1", "-p", str(self.port), "-U", USER]

    def url(self, database="leasehold", driver="postgresql"):
        return "jdbc:%s://127.0.0.1:%d/%s" % (driver, self.port, database)

    def psql(self, statements, database="leasehold"):
        return psql(self.port, database, statements)

    def run(self, name, *arguments):
        command = [program(name), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", ACCOUNT, "--", *command]
        # The command must not share our output: a started server keeps it open.
        with open(os.path.join(self.home, "commands.log"), "a", encoding="utf-8") as log:
            done = subprocess.run(command, cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                  check=False)
        if done.returncode != 0:
            raise AssertionError("%s failed; see %s" % (name, self.home))


class Embedded:
    """The server of the embedded default, with the role and the password that its data folder names."""

    def __init__(self, folder):
        self.service_file = os.path.join(folder, "pg_service.conf")
        self.pid_file = os.path.join(folder, "postgres", "postmaster.pid")

    def psql(self, statements):
        if not os.path.exists(self.service_file):
            # Engines before this file existed required no password.
            return psql(self.port(), "postgres", statements)
        return rows(["psql", *FOR_SCRIPTS, "-c", statements], self.environment())

    def environment(self):
        """Returns the environment for PostgreSQL's own clients."""
        return dict(os.environ, PGSERVICEFILE=self.service_file, PGSERVICE="leasehold")

    def port(self):
        return int(self._lines()[3])

    def pid(self):
        return int(self._lines()[0])

    def stop(self):
        """Stops the server, which keeps running after its engine was killed."""
        if os.path.exists(self.pid_file):
            os.kill(self.pid(), signal.SIGINT)
            deadline = time.time() + 30
            while os.path.exists(self.pid_file) and time.time() < deadline:
                time.sleep(0.1)

    def _lines(self):
        with open(self.pid_file, encoding="ascii") as lines:
            return lines.read().splitlines()


def give(folder):
    """Gives the folder to the user that the server runs as."""
    if os.geteuid() == 0:
        account = pwd.getpwnam(ACCOUNT)
        os.chown(folder, account.pw_uid, account.pw_gid)
    os.chmod(folder, 0o700)


def psql(port, database, statements):
    """Returns rows of JSON from statements that produce JSON."""
    return rows([*client(port, database), "-c", statements])


def rows(command, environment=None):
    """Returns the rows of JSON that a client prints."""
    answer = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if answer.returncode != 0:
        raise AssertionError(answer.stderr)
    return [json.loads(row) for row in answer.stdout.splitlines() if row]


def client(port, database):
    """Returns the command of a client of the server's owner."""
    return ["psql", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres", "-d", database, *FOR_SCRIPTS]


class Hold:
    """A transaction of another session that keeps its locks until it is released."""

    def __init__(self, postgres, database="leasehold"):
        self.session = subprocess.Popen(client(postgres.port, database), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.take("BEGIN")

    def take(self, statement):
        """Runs a statement; returns when the session has its locks."""
        self.session.stdin.write("%s;\n\\echo taken\n" % statement)
        self.session.stdin.flush()
        while (line := self.session.stdout.readline()) != "taken\n":
            if not line:
                raise AssertionError("not taken: " + statement)

    def release(self):
        self.session.communicate()
