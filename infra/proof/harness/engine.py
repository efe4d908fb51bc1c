"""The product as one process that can be killed and paused; its database outlives it."""

import base64
import functools
import http.client
import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

from harness.postgres import PASSWORD, USER, Embedded

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
JAR = os.path.join("infra", "runtime", "target", "leasehold.jar")
# Maven on a JDK 25: on an older one, it starts a compiler for each module.
MAVEN = os.path.join(ROOT, "infra", "proof", "harness", "maven")
MAIN = "org.leasehold.runtime.Leasehold"

# Name, project, role; where this harness chooses the users, their names are their passwords.
USERS = (("admin", "admin", "admin"), ("demo", "demo", "member"), ("other", "other", "member"))


# The engine starts often and never runs long: the better compiler would not pay.
OPTIONS = ("-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1")


# No warnings about the cache of what the JVM has learned.
QUIET_CACHE = "-Xlog:aot*=error"


@functools.cache
def java_25():
    return subprocess.run([os.path.join(ROOT, "infra", "proof", "harness", "java")], capture_output=True, text=True,
                          check=True).stdout.strip()


@functools.cache
def installed():
    """Returns the folder of the jar, installed once for all scripts: a start there takes a third of the CPU time."""
    return subprocess.run([os.path.join(ROOT, "infra", "proof", "harness", "installed")], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()


def login(name, password):
    return "Basic " + base64.b64encode(("%s:%s" % (name, password)).encode()).decode()


class Engine:
    """An engine on the embedded database in its folder, or on a given server."""

    def __init__(self, folder, port, hosts, postgres=None, classpath_file=None, settings=()):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.port = port
        self.url = "http://127.0.0.1:%d" % port
        self.postgres = postgres
        self.options = list(OPTIONS)
        if classpath_file:
            with open(classpath_file, encoding="utf-8") as lines:
                self.program = ["-cp", lines.read().strip(), MAIN]
        else:
            self.program = ["-jar", os.path.join(installed(), "leasehold.jar")]
            # The cache was made with the better compiler too; the JVM would warn at each start.
            self.options += ["-XX:AOTCache=" + os.path.join(installed(), "leasehold.aot"), QUIET_CACHE]
        self.settings = {"server.port": port, "leasehold.probes.port": 0, "leasehold.plugins.simulator.hosts": hosts}
        if postgres:
            self.settings.update(on(postgres))
        self.settings.update(settings)
        self.process = None
        self.passwords = {}
        self.log = os.path.join(folder, "product.log")

    def command(self, *arguments):
        """Returns the command that runs the product with these arguments."""
        return [java_25(), *self.options, *self.program, *arguments]

    def start(self):
        self.launch()
        self.await_ready()

    def launch(self):
        if self.is_ready():
            raise AssertionError("something else answers at " + self.url)
        settings = ("--%s=%s" % each for each in self.settings.items())
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command(*settings), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=dict(os.environ, LEASEHOLD_DATABASE_FOLDER=self.folder))

    def await_ready(self):
        deadline = time.time() + 240
        while not self.is_ready():
            if not self.is_running() or time.time() > deadline:
                raise AssertionError("the engine does not start")
            time.sleep(0.1)
        self.passwords = {name: name for name, _, _ in USERS} if self.postgres else self._passwords()

    def is_ready(self):
        try:
            with urllib.request.urlopen(self.url + "/actuator/health/readiness", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError, ValueError):
            return False

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """Kills the engine; its database keeps running."""
        self.process.kill()
        self.process.wait()

    def pause(self):
        """Pauses the process, as if its machine stopped: its connections stay open."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Stops the engine in an orderly way, with its embedded database, even if the engine was killed before."""
        if self.is_running():
            self.process.send_signal(signal.SIGTERM)
            self.resume()
            try:
                self.process.wait(timeout=90)
            except subprocess.TimeoutExpired:
                self.kill()
        if not self.postgres:
            Embedded(self.folder).stop()

    def tail(self):
        if not os.path.exists(self.log):
            return ""
        with open(self.log, encoding="utf-8") as log:
            return "".join(log.readlines()[-40:])

    def call(self, user, method, path, body=None, headers=None, timeout=30):
        """Returns status and body; raises OSError if the engine does not run, or ends while it answers."""
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": login(user, self.passwords[user]), "Content-Type": "application/json",
                     "Accept": "application/json", **(headers or {})})
        try:
            try:
                with urllib.request.urlopen(request, timeout=timeout) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                return error.code, error.read().decode()
        except http.client.HTTPException as broken:  # An answer that was cut off is no OSError in the library.
            raise OSError("cut off: %s" % broken) from broken

    def _passwords(self):
        with open(os.path.join(self.folder, "clouds.yaml"), encoding="utf-8") as clouds:
            return dict(re.findall(r"username: (\S+)\n\s+password: (\S+)", clouds.read()))

    def sql(self, statement):
        """Reads or writes the database directly, with or without a running engine; returns rows."""
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            statement = as_json(statement)
        return self._psql(statement)

    def rows_after(self, change, question):
        """Returns the rows of a query after a change, which is rolled back."""
        return self._psql("BEGIN; %s; %s; ROLLBACK" % (change, as_json(question)))

    def _psql(self, statements):
        return (self.postgres or Embedded(self.folder)).psql(statements)


def on(postgres):
    """Returns the settings of an engine on a server."""
    settings = {"leasehold.database.url": postgres.url(), "leasehold.database.user": USER,
                "leasehold.database.password": PASSWORD}
    for index, (name, project, role) in enumerate(USERS):
        for setting, value in (("name", name), ("password", "{noop}" + name), ("user-id", name),
                               ("project-id", project), ("project-name", project), ("roles", role)):
            settings["leasehold.gateway.users[%d].%s" % (index, setting)] = value
    return settings


def as_json(question):
    return "SELECT to_json(answer) FROM (%s) answer" % question
