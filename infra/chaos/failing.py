"""An engine with failpoints between it and its database."""

import os
import shutil
import subprocess

from harness.engine import MAIN, ROOT, Engine, java_25


class FailingEngine(Engine):
    def __init__(self, folder, port, hosts, postgres, classpath_file):
        super().__init__(folder, port, hosts, postgres, classpath_file)
        self.usual = self.options
        # It never lives until a second look: what leases use has to be seen while one of them has something.
        self.settings["leasehold.saga.sampling"] = "1s"
        self.failpoint_log = os.path.join(folder, "failpoints.log")
        chaos = os.path.join(ROOT, "infra", "chaos", "target")
        how, what, *_ = self.program
        if how == "-jar":
            failpoints = shutil.copy(os.path.join(chaos, "leasehold-chaos.jar"), folder)
            self.program = ["-cp", os.pathsep.join((self._extracted(what), failpoints)), MAIN]
            self.classes = os.path.join(folder, "classes.jsa")
        else:
            self.program = ["-cp", os.pathsep.join((what, os.path.join(chaos, "classes"))), MAIN]
            self.classes = None

    def _extracted(self, jar):
        """The libraries as files: they load faster, and others can be put beside them."""
        target = os.path.join(self.folder, "extracted")
        subprocess.run([java_25(), "-Djarmode=tools", "-jar", jar, "extract", "--destination", target],
                       check=True, capture_output=True)
        return os.path.join(target, os.path.basename(jar))

    def launch(self):
        self._launch("postgresql", [])

    def survey(self):
        """Tells which failpoints it passes; ends in peace, and leaves its classes to those that start after it."""
        self._launch("failpoints:postgresql", ["-XX:ArchiveClassesAtExit=" + self.classes] if self.classes else [])

    def launch_until(self, points):
        """Tells which failpoints it passes, and dies at the first that is one of these."""
        self._launch("failpoints:postgresql", ["-Dfailpoints.deadly=" + ",".join(points)])

    def _launch(self, driver, options):
        if self.classes and os.path.exists(self.classes):
            options = ["-XX:SharedArchiveFile=" + self.classes, *options]
        self.options = [*self.usual, "-Dfailpoints.log=" + self.failpoint_log, *options]
        self.settings["leasehold.database.url"] = self.postgres.url(driver=driver)
        super().launch()
