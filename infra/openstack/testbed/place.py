"""Paths of the testbed's files, and the constants that all its parts use."""

import os

FOLDER = os.path.abspath(os.environ.get("TESTBED_FOLDER", "/var/lib/leasehold-testbed"))
CONFIGURATION = os.path.join(FOLDER, "etc")
LOGS = os.path.join(FOLDER, "log")
RECORDS = os.path.join(FOLDER, "run")
LIBRARY = os.path.join(FOLDER, "lib")
CLOUDS = os.path.join(FOLDER, "clouds.yaml")

SOURCES = os.path.dirname(os.path.abspath(__file__))
HARNESS = os.path.abspath(os.path.join(SOURCES, "..", "..", "proof", "harness"))

# All users have one password; the services listen on the loopback interface only.
PASSWORD = "secret"
REGION = "RegionOne"
LOOPBACK = "127.0.0.1"

# Not Blazar's default, which is the engine's, too.
BLAZAR_PORT = 1235
HORIZON_PORT = 1236


def data(service):
    """Returns the data folder of a service."""
    return os.path.join(FOLDER, "data", service)


def configuration(name):
    return os.path.join(CONFIGURATION, name)


def log(name):
    return os.path.join(LOGS, name + ".log")


def tail(name, lines=30):
    try:
        with open(log(name), encoding="utf-8", errors="replace") as text:
            return "".join(text.readlines()[-lines:])
    except FileNotFoundError:
        return "(it has written nothing)"
