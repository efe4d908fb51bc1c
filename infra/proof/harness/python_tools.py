"""Python programs in a virtual environment, in the versions that a file pins."""

import os
import shutil
import subprocess
import sys


class PythonTools:
    """A virtual environment in a folder. It stays there, for a later run in a network without a way out."""

    def __init__(self, folder, requirements):
        self.folder = folder
        self.requirements = requirements

    def install(self):
        """Creates the environment unless it has these versions already; raises an error if a program is missing."""
        installed = os.path.join(self.folder, "installed.txt")
        if os.path.exists(installed) and read(installed) == read(self.requirements):
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        subprocess.run([self.program("pip"), "--quiet", "--disable-pip-version-check", "install", "--requirement",
                        self.requirements], check=True)
        shutil.copyfile(self.requirements, installed)

    def program(self, name):
        return os.path.join(self.folder, "bin", name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()
