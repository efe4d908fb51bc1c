"""Python programs in a virtual environment of one run, in the versions that a file pins."""

import os
import subprocess
import sys


class PythonTools:

    def __init__(self, folder, requirements):
        self.folder = folder
        self.requirements = requirements

    def install(self):
        """Creates the environment; raises an error if a program cannot be installed."""
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        subprocess.run([self.program("pip"), "--quiet", "--disable-pip-version-check", "install", "--requirement",
                        self.requirements], check=True)

    def program(self, name):
        return os.path.join(self.folder, "bin", name)
