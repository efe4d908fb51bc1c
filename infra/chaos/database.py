"""A PostgreSQL of its own beside the engine: neither dies with the other."""

import glob
import os
import shutil
import subprocess


class Database:
    def __init__(self, folder, port):
        self.folder = folder
        # Where the engine's own would be, so that whoever looks past the engine finds it.
        self.data = os.path.join(folder, "postgres")
        self.port = port
        self.bin = newest()

    def create(self):
        os.chmod(self.folder, 0o755)
        if os.getuid() == 0:
            shutil.chown(self.data, "postgres")
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a", encoding="ascii") as settings:
            settings.write("port = %d\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
                           "max_connections = 200\n" % self.port)

    def start(self):
        """Answers when it has recovered from whatever happened to it."""
        self._run("pg_ctl", "-D", self.data, "-w", "-t", "120", "-l", os.path.join(self.data, "server.log"), "start")

    def stop(self, how="fast"):
        """At once and without a word, if it is told `immediate`; nothing if there is none."""
        if not os.path.exists(os.path.join(self.data, "postmaster.pid")):
            return
        self._run("pg_ctl", "-D", self.data, "-w", "-m", how, "stop")

    def answers(self):
        return subprocess.run([os.path.join(self.bin, "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)],
                              capture_output=True, check=False).returncode == 0

    def url(self, kind):
        return "jdbc:%s://127.0.0.1:%d/postgres" % (kind, self.port)

    def _run(self, program, *arguments):
        command = [os.path.join(self.bin, program), *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        # Its output must not be ours: a server that was started keeps it open.
        with open(os.path.join(self.folder, "database.log"), "a", encoding="utf-8") as log:
            done = subprocess.run(command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
        if done.returncode != 0:
            raise AssertionError("%s failed; see %s" % (program, self.folder))


def newest():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
    if not found:
        raise SystemExit("There is no PostgreSQL server in /usr/lib/postgresql.")
    return found[-1]
