"""Starts, stops and kills the product the way its README says, on a data folder of its own."""

import glob
import json
import os
import shlex
import signal
import subprocess
import time
import urllib.error
import urllib.request
import uuid

from harness.engine import JAR, java_25
from harness.postgres import Embedded

URL = "http://127.0.0.1:1234"

# The command in the README.
COMMAND = "mvn -q spring-boot:run"

# A locale with digits of its own, and a zone across the date line: no format may depend on either.
FOREIGN = ("-Duser.language=ar", "-Duser.country=SA", "-Duser.timezone=Pacific/Apia")


class Product:
    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        self.process = None
        self.log = open(os.path.join(folder, "product.log"), "a", encoding="utf-8")

    def start_by_maven(self):
        """Starts the product as the README says. Nothing else may call Maven in this folder meanwhile."""
        self._start(shlex.split(COMMAND))

    def start(self):
        """Starts the same engine in a foreign locale, without Maven, which takes longer than the engine."""
        self._start([java_25(), "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1", *FOREIGN, "-jar",
                     os.path.join(self.root, JAR)])

    def _start(self, command):
        if self.is_ready():
            raise AssertionError("something else answers at " + URL)
        environment = dict(os.environ, LEASEHOLD_DATABASE_FOLDER=self.folder)
        self.process = subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.time() + 600
        while time.time() < deadline:
            if self.process.poll() is not None:
                raise AssertionError("the product ended while starting:\n" + self.tail())
            if self.is_ready():
                return
            time.sleep(0.1)
        raise AssertionError("the product does not get ready:\n" + self.tail())

    @staticmethod
    def is_ready():
        try:
            with urllib.request.urlopen(URL + "/actuator/health/readiness", timeout=2) as answer:
                return json.load(answer)["status"] == "UP"
        except (urllib.error.URLError, OSError, ValueError):
            return False

    def stop(self):
        """Stops the product as Ctrl-C does: the engine first, then Maven."""
        self._signal_engine(signal.SIGTERM)
        self.process.wait(timeout=60)

    def kill(self):
        """Kills the engine; its database keeps running."""
        self._signal_engine(signal.SIGKILL)
        self.process.wait(timeout=60)
        if self.is_ready():
            raise AssertionError("the engine survived")

    def _signal_engine(self, number):
        for pid in self._children(self.process.pid) or [self.process.pid]:
            os.kill(pid, number)

    @staticmethod
    def _children(pid):
        """Returns the engines among the processes that it started; the database is an engine's child."""
        pids = []
        # The thread that started a process is its parent.
        for path in glob.glob("/proc/%d/task/*/children" % pid):
            with open(path, encoding="ascii") as children:
                pids += children.read().split()
        return [int(p) for p in pids if Product._is_java(p)]

    @staticmethod
    def _is_java(pid):
        with open("/proc/%s/comm" % pid, encoding="ascii") as name:
            return name.read().strip() == "java"

    def tail(self):
        self.log.flush()
        with open(self.log.name, encoding="utf-8") as log:
            return "".join(log.readlines()[-40:])

    def slots(self):
        """Returns the slots of each host of the simulated cloud, by reservation."""
        return Embedded(self.folder).psql("""
            SELECT coalesce(json_object_agg(reservation, hosts), '{}')
            FROM (SELECT reservation, json_object_agg(host, slots) AS hosts
                  FROM simulated_cloud.slots GROUP BY reservation) s""")[0]

    def cloud(self):
        """Returns the aggregates of the simulated cloud, read directly from its tables."""
        return Embedded(self.folder).psql("""
            SELECT json_build_object('aggregates', coalesce(json_agg(json_build_object(
                'name', a.name,
                'metadata', a.metadata,
                'hosts', ARRAY(SELECT h.host FROM simulated_cloud.aggregate_host h
                               WHERE h.aggregate = a.name ORDER BY h.host)) ORDER BY a.name), '[]'))
            FROM simulated_cloud.aggregate a""")[0]

    def floating_ips(self):
        """Returns the allocated floating IPs of the simulated cloud: address, project and reservation of each."""
        return Embedded(self.folder).psql("""
            SELECT coalesce(json_agg(json_build_array(address, project, reservation) ORDER BY address), '[]')
            FROM simulated_cloud.floating_ip""")[0]

    def networks(self):
        """Returns the allocated networks of the simulated cloud."""
        return Embedded(self.folder).psql("""
            SELECT coalesce(json_agg(json_build_array(segment, name, description, project, reservation)
                                     ORDER BY segment), '[]')
            FROM simulated_cloud.network""")[0]

    def volumes(self):
        """Returns all volumes of the simulated cloud: type, size, name and reservation of each."""
        return Embedded(self.folder).psql("""
            SELECT coalesce(json_agg(json_build_array(volume_type, size, name, reservation) ORDER BY name), '[]')
            FROM simulated_cloud.volume""")[0]

    def make_server(self, project):
        """Creates a server of a project outside of leases; returns its id."""
        server = str(uuid.uuid4())
        Embedded(self.folder).psql("""
            INSERT INTO simulated_cloud.zone_server (id, zone, name, project, vcpus, memory_mb, disk_gb, state)
            VALUES ('%s', 'nova', 'mine', '%s', 2, 4096, 20, 'ACTIVE')""" % (server, project))
        return server

    def servers(self):
        """Returns the projects' own servers in the simulated cloud: state and reservation of each."""
        return Embedded(self.folder).psql("""
            SELECT coalesce(json_object_agg(id, json_build_array(state, reservation)), '{}')
            FROM simulated_cloud.zone_server""")[0]
