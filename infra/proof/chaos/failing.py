"""An engine with failpoints between it and its database."""

import os
import shutil

from harness.engine import MAIN, ROOT, Engine


class FailingEngine(Engine):
    def __init__(self, folder, port, hosts, postgres, classpath_file):
        super().__init__(folder, port, hosts, postgres, classpath_file)
        self.usual = self.options
        # The process ends before a second sample: it must sample the usage of leases while one of them has a resource.
        self.settings["leasehold.saga.sampling"] = "1s"
        self.failpoint_log = os.path.join(folder, "failpoints.log")
        chaos = os.path.join(ROOT, "infra", "proof", "chaos", "target")
        how, what, *_ = self.program
        if how == "-jar":
            # The JVM's cache for the engine's class path is valid only for class paths that begin with it.
            failpoints = shutil.copy(os.path.join(chaos, "leasehold-chaos.jar"), folder)
        else:
            failpoints = os.path.join(chaos, "classes")
        self.program = ["-cp", os.pathsep.join((what, failpoints)), MAIN]

    def launch(self):
        self._launch("postgresql", [])

    def survey(self):
        """Starts an engine that logs each failpoint that it passes."""
        self._launch("failpoints:postgresql", [])

    def launch_until(self, points):
        """Starts an engine that logs its failpoints, and dies at the first that is one of these."""
        self._launch("failpoints:postgresql", ["-Dfailpoints.deadly=" + ",".join(points)])

    def _launch(self, driver, options):
        self.options = [*self.usual, "-Dfailpoints.log=" + self.failpoint_log, *options]
        self.settings["leasehold.database.url"] = self.postgres.url(driver=driver)
        super().launch()
