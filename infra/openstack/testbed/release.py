"""The Debian release of the cloud's packages: this host's own, or another one in a folder."""

import os
import platform

from testbed import place

# OpenStack Zed; `trixie` has 2025.1. The packages are in the file of this name in `releases`.
NAME = os.environ.get("TESTBED_RELEASE", "trixie")
PACKAGES = os.path.join(place.SOURCES, "releases", NAME)

IS_OF_HOST = platform.freedesktop_os_release().get("VERSION_CODENAME") == NAME
ROOT = "/" if IS_OF_HOST else os.path.join("/var/cache/leasehold", NAME)

# The release has OpenStack's own reservation service, which `start --blazar` starts.
HAS_BLAZAR = NAME != "bookworm"

# The release has Horizon 25, with the dashboard of reservations.
HAS_DASHBOARD = NAME != "bookworm"


def packages():
    with open(PACKAGES, encoding="ascii") as lines:
        return lines.read().split()


def inside(account, folder, *command):
    """Returns the command that runs this one on the release's files, as the release's user, in a folder of the testbed.

    Each command has mounts of its own, which end with it. The process number is that of the command.
    """
    as_account = ["/usr/sbin/chroot", "--userspec=" + account, "/", "/usr/bin/env", "--chdir=" + folder, *command]
    return as_account if IS_OF_HOST else [os.path.join(place.HARNESS, "enter"), ROOT, place.FOLDER, *as_account]


def ids(account):
    """Returns the numbers of a user and its group, which differ between releases."""
    with open(os.path.join(ROOT, "etc", "passwd"), encoding="utf-8") as lines:
        for line in lines:
            name, _, user, group, *_ = line.split(":")
            if name == account:
                return int(user), int(group)
    raise KeyError("there is no user %s in %s" % (account, ROOT))
