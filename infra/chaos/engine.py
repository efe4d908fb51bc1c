"""The engine as one process that can be killed, and its database, which outlives it."""

import base64
import glob
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from product import Product  # noqa: E402


def java_25():
    """A JDK 25 where JDKs usually are; the one on the PATH may be older."""
    candidates = [os.path.join(os.environ.get("JAVA_HOME", ""), "bin", "java"), "java"]
    for pattern in ("/usr/lib/jvm/*/bin/java", os.path.expanduser("~/.sdkman/candidates/java/*/bin/java"),
                    os.path.expanduser("~/.jdks/*/bin/java"), "/opt/*/bin/java"):
        candidates.extend(sorted(glob.glob(pattern)))
    for candidate in candidates:
        try:
            version = subprocess.run([candidate, "-version"], capture_output=True, text=True, check=False).stderr
        except OSError:
            continue
        if re.search(r'version "25[."]', version):
            return candidate
    raise SystemExit("There is no JDK 25 in the usual places; set JAVA_HOME.")


class Engine(Product):
    def __init__(self, root, folder, port, hosts, classpath_file):
        super().__init__(root, folder)
        self.port = port
        self.url = "http://127.0.0.1:%d" % port
        if classpath_file:
            with open(classpath_file, encoding="utf-8") as lines:
                what = ["-cp", lines.read().strip(), "org.leasehold.runtime.Leasehold"]
        else:
            what = ["-jar", os.path.join(root, "infra", "runtime", "target", "leasehold.jar")]
        self.command = [java_25(), "-Xmx512m", *what, "--server.port=%d" % port,
                        "--leasehold.plugins.simulator.hosts=%d" % hosts]
        self.process = None
        self.passwords = {}

    def start(self):
        self.launch()
        self.await_ready()

    def launch(self):
        if self.answers("/actuator/health/readiness"):
            raise AssertionError("something else answers at " + self.url)
        environment = dict(os.environ, LEASEHOLD_DATABASE_FOLDER=self.folder)
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)

    def await_ready(self):
        deadline = time.time() + 240
        while not self.answers("/actuator/health/readiness"):
            if self.process.poll() is not None or time.time() > deadline:
                raise AssertionError("the engine does not start:\n" + self.tail())
            time.sleep(0.1)
        self.passwords = self._passwords()

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """The engine dies without a word; its database is left behind."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Leaves nothing running, not even the database of an engine that was killed."""
        if self.is_running():
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=90)
        pid_file = os.path.join(self.folder, "postgres", "postmaster.pid")
        if os.path.exists(pid_file):
            with open(pid_file, encoding="ascii") as lines:
                os.kill(int(lines.readline()), signal.SIGINT)

    def answers(self, path):
        try:
            with urllib.request.urlopen(self.url + path, timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError, ValueError):
            return False

    def call(self, user, method, path, body=None, headers=None, timeout=30):
        """Status and body; raises OSError when the engine is not there, or dies while it answers."""
        login = base64.b64encode(("%s:%s" % (user, self.passwords[user])).encode()).decode()
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Basic " + login, "Content-Type": "application/json",
                     "Accept": "application/json", **(headers or {})})
        try:
            try:
                with urllib.request.urlopen(request, timeout=timeout) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                return error.code, error.read().decode()
        except http.client.HTTPException as broken:  # An answer that was cut off is no OSError there.
            raise OSError("cut off: %s" % broken) from broken

    def _passwords(self):
        with open(os.path.join(self.folder, "clouds.yaml"), encoding="utf-8") as clouds:
            return dict(re.findall(r"username: (\S+)\n\s+password: (\S+)", clouds.read()))

    def sql(self, statement):
        """Looks, or writes, past the engine, dead or alive; answers with rows."""
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            statement = as_json(statement)
        return self._psql(statement)

    def rows_after(self, change, question):
        """What a question would find after a change, which is undone."""
        return self._psql("BEGIN; %s; %s; ROLLBACK" % (change, as_json(question)))

    def _psql(self, statements):
        with open(os.path.join(self.folder, "postgres", "postmaster.pid"), encoding="ascii") as lines:
            port = lines.read().splitlines()[3].strip()
        answer = subprocess.run(
            ["psql", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-d", "postgres",
             "-v", "ON_ERROR_STOP=1", "-Atqc", statements],
            capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            raise AssertionError(answer.stderr)
        return [json.loads(row) for row in answer.stdout.splitlines()]


def as_json(question):
    return "SELECT to_json(answer) FROM (%s) answer" % question
