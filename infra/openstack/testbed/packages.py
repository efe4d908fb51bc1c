"""Debian's packages: the cloud's, of its own release, and those of its clients, of this host's release."""

import os
import subprocess
import sys

from testbed import place, release

# Neither nova-compute, cinder-volume nor an agent of Neutron is in a release's list: they bring libvirt, qemu and lvm
# along. What is needed of them is in the Python packages that the others depend on.

# The two libraries are the testbed's own, which looks into RabbitMQ.
CLIENTS = ("python3-openstackclient", "python3-cinderclient", "python3-heatclient", "python3-blazarclient",
           "python3-amqp", "python3-kombu")


def install(*others):
    """With other packages of this host: to install all at once takes less time."""
    on_host = release.packages() if release.IS_OF_HOST else ["debootstrap"]
    harness("packages", *CLIENTS, *on_host, *others)
    if not release.IS_OF_HOST:
        harness("release", release.ROOT, release.NAME, *release.packages())


def harness(script, *arguments):
    subprocess.run([os.path.join(place.HARNESS, script), *arguments], check=True)


if __name__ == "__main__":
    install(*sys.argv[1:])
