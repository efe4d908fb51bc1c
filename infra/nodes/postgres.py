"""PostgreSQL 15 on the loopback interface, run by another user than root where we are root."""

import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time

BIN = "/usr/lib/postgresql/15/bin"
USER = "postgres"


class Postgres:
    """A server with a folder of its own."""

    def __init__(self, port):
        self.port = port
        self.home = tempfile.mkdtemp(prefix="leasehold-postgres-")
        self.data = os.path.join(self.home, "data")
        if os.geteuid() == 0:
            account = pwd.getpwnam(USER)
            os.chown(self.home, account.pw_uid, account.pw_gid)

    def create(self):
        """An empty database cluster, of an engine that owns one database and nothing else."""
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres")
        self.start()
        self.psql("CREATE ROLE leasehold LOGIN REPLICATION PASSWORD 'nodes'", database="postgres")
        self.psql("CREATE DATABASE leasehold OWNER leasehold", database="postgres")
        return self

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.home, "log"), "-o",
                 "-p %d -k %s -c listen_addresses=127.0.0.1 -c max_connections=200" % (self.port, self.home), "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def remove(self):
        if os.path.exists(os.path.join(self.data, "postmaster.pid")):
            self.stop("immediate")
        shutil.rmtree(self.home)

    def replica(self, port):
        """A server that follows this one, and can be read."""
        follower = Postgres(port)
        follower.run("pg_basebackup", "-h", "127.0.0.1", "-p", str(self.port), "-U", "leasehold",
                     "-D", follower.data, "-R", "-X", "stream", "-c", "fast")
        follower.start()
        return follower

    def backup(self, file):
        """One consistent moment, taken while the engine works."""
        self.run("pg_dump", *self.address(), "-Fc", "-f", file, "leasehold")

    def restore(self, file, database):
        self.run("pg_restore", *self.address(), "--exit-on-error", "-d", database, file)

    def address(self):
        return ["-h", "127.0.0.1", "-p", str(self.port), "-U", "leasehold"]

    def url(self):
        return "jdbc:postgresql://127.0.0.1:%d/leasehold" % self.port

    def run(self, program, *arguments):
        command = [os.path.join(BIN, program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", USER, "--", *command]
        done = subprocess.run(command, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError("%s: %s" % (program, done.stdout))

    def psql(self, statements, database="leasehold"):
        """Rows of JSON, from statements that make such."""
        answer = subprocess.run(
            ["psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database,
             "-v", "ON_ERROR_STOP=1", "-Atqc", statements], capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            raise AssertionError(answer.stderr)
        return [json.loads(row) for row in answer.stdout.splitlines() if row]

    def await_position_of(self, leader, question):
        """Waits until a question has the same answer here as there."""
        deadline = time.time() + 30
        while self.psql(question) != leader.psql(question):
            if time.time() > deadline:
                raise AssertionError("the replica does not follow")
            time.sleep(0.1)
