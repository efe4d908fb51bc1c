"""Debian's packages, installed without any of their services being started."""

import contextlib
import os
import subprocess

from testbed import place

# Not nova-compute, cinder-volume or an agent of Neutron: they bring libvirt, qemu and lvm along. What is
# needed of them is in the Python packages that these depend on.
PACKAGES = (
    "keystone", "placement-api", "glance-api", "nova-api", "nova-scheduler", "nova-conductor",
    "neutron-api", "neutron-rpc-server", "cinder-api", "cinder-scheduler", "heat-api", "heat-engine",
    "mariadb-server", "rabbitmq-server", "memcached",
    "python3-openstackclient", "python3-cinderclient", "python3-heatclient", "python3-blazarclient",
)

# Debian asks this program whether a package may start its service; 101 is no.
POLICY = "/usr/sbin/policy-rc.d"


def install():
    with nothing_starts():
        subprocess.run([os.path.join(place.SOURCES, "..", "..", "harness", "packages"), *PACKAGES], check=True)


@contextlib.contextmanager
def nothing_starts():
    """Whoever has a policy of their own keeps it."""
    if os.path.exists(POLICY):
        yield
        return
    with open(POLICY, "w", encoding="ascii") as script:
        script.write("#!/bin/sh\nexit 101\n")
    os.chmod(POLICY, 0o755)
    try:
        yield
    finally:
        os.remove(POLICY)
