"""Debian's packages: the cloud's, of its own release, and those of its clients, of this host's release."""

import os
import subprocess
import sys

from testbed import place, release

# Neither nova-compute, cinder-volume nor an agent of Neutron is in a release's list: they depend on libvirt, qemu and
# lvm. The needed parts are in the Python packages that the other packages depend on.

# The testbed itself needs the last two libraries to read from RabbitMQ.
CLIENTS = ("python3-openstackclient", "python3-cinderclient", "python3-heatclient", "python3-blazarclient",
           "python3-amqp", "python3-kombu")


def install(*others):
    """Installs the packages together with others of this host, because one installation takes less time."""
    on_host = release.packages() if release.IS_OF_HOST else ["debootstrap"]
    harness("packages", *CLIENTS, *on_host, *others)
    if not release.IS_OF_HOST:
        harness("release", release.ROOT, release.NAME, *release.packages())


def harness(script, *arguments):
    subprocess.run([os.path.join(place.HARNESS, script), *arguments], check=True)


if __name__ == "__main__":
    install(*sys.argv[1:])
