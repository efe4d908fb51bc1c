"""Where the testbed keeps what it has, and what everything in it goes by."""

import os

FOLDER = os.path.abspath(os.environ.get("TESTBED_FOLDER", "/var/lib/leasehold-testbed"))
CONFIGURATION = os.path.join(FOLDER, "etc")
LOGS = os.path.join(FOLDER, "log")
RECORDS = os.path.join(FOLDER, "run")
LIBRARY = os.path.join(FOLDER, "lib")
CLOUDS = os.path.join(FOLDER, "clouds.yaml")

SOURCES = os.path.dirname(os.path.abspath(__file__))
HARNESS = os.path.abspath(os.path.join(SOURCES, "..", "..", "harness"))

# There is one password, of everybody; nothing here listens to anybody but this machine.
PASSWORD = "secret"
REGION = "RegionOne"
LOOPBACK = "127.0.0.1"


def data(service):
    """What a service keeps."""
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
