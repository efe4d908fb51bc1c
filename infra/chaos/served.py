"""The engine on a database that is not its child."""

import os
import shutil
import subprocess

from engine import Engine

USERS = {"demo": "member", "admin": "admin"}


class ServedEngine(Engine):
    def __init__(self, root, folder, port, hosts, classpath_file, database):
        super().__init__(root, folder, port, hosts, classpath_file)
        self.database = database
        self.failpoint_log = os.path.join(folder, "failpoints.log")
        java, heap, how, what, *settings = self.command
        chaos = os.path.join(root, "infra", "chaos", "target")
        if how == "-jar":
            what = os.pathsep.join((self._extracted(java, what),
                                    shutil.copy(os.path.join(chaos, "leasehold-chaos.jar"), folder)))
            settings.insert(0, "org.leasehold.runtime.Leasehold")
        else:
            what += os.pathsep + os.path.join(chaos, "classes")
        # It starts often and never lives long.
        self.java = [java, heap, "-XX:TieredStopAtLevel=1", "-cp", what]
        self.classes = os.path.join(folder, "classes.jsa") if how == "-jar" else None
        self.settings = settings + [
            "--leasehold.database.user=postgres", "--leasehold.database.password=none"]
        for index, (name, role) in enumerate(USERS.items()):
            for setting, value in (("name", name), ("password", "{noop}" + name), ("user-id", name),
                                   ("project-id", name), ("project-name", name), ("roles", role)):
                self.settings.append("--leasehold.gateway.users[%d].%s=%s" % (index, setting, value))

    def _extracted(self, java, jar):
        """The libraries as files: they load faster, and others can be put beside them."""
        target = os.path.join(self.folder, "extracted")
        subprocess.run([java, "-Djarmode=tools", "-jar", jar, "extract", "--destination", target],
                       check=True, capture_output=True)
        return os.path.join(target, os.path.basename(jar))

    def launch(self):
        self._launch("postgresql", [])

    def survey(self):
        """Tells which failpoints it passes; ends in peace, and leaves its classes to those that start after it."""
        self._launch("failpoints:postgresql", ["-XX:ArchiveClassesAtExit=" + self.classes] if self.classes else [])

    def launch_until(self, point):
        """Tells which failpoints it passes, and dies at one of them."""
        self._launch("failpoints:postgresql", ["-Dfailpoints.point=" + point])

    def _launch(self, driver, options):
        if self.classes and os.path.exists(self.classes):
            options = ["-XX:SharedArchiveFile=" + self.classes, *options]
        self.command = [*self.java[:1], "-Dfailpoints.log=" + self.failpoint_log, *options, *self.java[1:],
                        *self.settings, "--leasehold.database.url=" + self.database.url(driver)]
        super().launch()

    def stop(self):
        """The engine only; its database is nobody's child."""
        if self.is_running():
            self.process.terminate()
            self.process.wait(timeout=90)

    def _passwords(self):
        return {name: name for name in USERS}
