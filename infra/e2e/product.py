"""Starts, stops and kills the product the way its README says, on a data folder of its own."""

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request

URL = "http://127.0.0.1:1234"


class Product:
    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        self.maven = None
        self.log = open(os.path.join(folder, "product.log"), "a", encoding="utf-8")

    def start(self):
        environment = dict(os.environ, LEASEHOLD_DATABASE_FOLDER=self.folder)
        self.maven = subprocess.Popen(
            ["mvn", "-q", "spring-boot:run"],
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.time() + 600
        while time.time() < deadline:
            if self.maven.poll() is not None:
                raise AssertionError("the product ended while starting:\n" + self.tail())
            if self.is_ready():
                return
            time.sleep(0.5)
        raise AssertionError("the product does not get ready:\n" + self.tail())

    @staticmethod
    def is_ready():
        try:
            with urllib.request.urlopen(URL + "/actuator/health/readiness", timeout=2) as answer:
                return json.load(answer)["status"] == "UP"
        except (urllib.error.URLError, OSError, ValueError):
            return False

    def stop(self):
        """As Ctrl-C would: the engine first, Maven follows."""
        self._signal_engine(signal.SIGTERM)
        self.maven.wait(timeout=60)

    def kill(self):
        """The engine dies without a word; its database is left behind."""
        self._signal_engine(signal.SIGKILL)
        self.maven.wait(timeout=60)

    def _signal_engine(self, number):
        for pid in self._children(self.maven.pid):
            os.kill(pid, number)

    @staticmethod
    def _children(pid):
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as children:
            return [int(child) for child in children.read().split()]

    def tail(self):
        self.log.flush()
        with open(self.log.name, encoding="utf-8") as log:
            return "".join(log.readlines()[-40:])

    def cloud(self):
        """The simulated cloud as it is, read past the engine."""
        with open(os.path.join(self.folder, "postgres", "postmaster.pid"), encoding="ascii") as f:
            port = f.read().splitlines()[3].strip()
        jars = os.path.join(self.root, "resource-adapters")
        environment = dict(
            os.environ,
            SIMULATED_CLOUD_URL="jdbc:postgresql://127.0.0.1:%s/postgres" % port,
        )
        report = subprocess.run(
            [os.path.join(self.root, "infra", "e2e", "cloud-report")],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if report.returncode != 0:
            raise AssertionError("no report of the simulated cloud in " + jars + ": " + report.stderr)
        return json.loads(report.stdout)
