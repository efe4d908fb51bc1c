"""Starts services layer by layer, each layer when the one before works, and stops them in the opposite order."""

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time

from testbed import configuration, place, processes, release
from testbed.services import Choices, every, layers

# Seconds for all services of a layer; a busy machine is slow.
LONGEST_START = 240

# Services with data get time for a clean stop. The others have no work that they could not resume.
LONGEST_STOP = {"mariadb": 60, "rabbitmq": 30}
LONGEST_STOP_OF_OTHERS = 5

# A script whose child is the service: all its processes get the signal, not only the first.
SCRIPTS = {"rabbitmq"}

INSTALLED = os.path.join(place.FOLDER, "installed")


class DoesNotStart(Exception):
    """A service does not start; the message has its name and its last output."""

    def __init__(self, name, why):
        super().__init__("%s %s; %s ends with:\n%s" % (name, why, place.log(name), place.tail(name)))


@contextlib.contextmanager
def alone():
    """Holds the lock under which one process at a time installs, starts or stops."""
    os.makedirs(place.FOLDER, exist_ok=True)
    with open(os.path.join(place.FOLDER, "lock"), "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def lay_out(choices):
    """Writes folders, configuration, and the code that runs inside the services, all readable for them."""
    for folder in (place.CONFIGURATION, place.LOGS, place.RECORDS, place.LIBRARY):
        os.makedirs(folder, exist_ok=True)
    for service in every(choices):
        make_home(service)
    configuration.write()
    shutil.copytree(os.path.join(place.SOURCES, "plugins"), place.LIBRARY, dirs_exist_ok=True)
    shutil.copy(os.path.join(place.SOURCES, "..", "nova-filter", "leasehold_filter.py"), place.LIBRARY)


def make_home(service):
    """Creates the folder of a service's data, which belongs to its account."""
    if not os.path.isdir(service.home()):
        os.makedirs(service.home())
        os.chown(service.home(), *release.ids(service.account))


def start(choices, names=None):
    """Starts all services, or the named ones; services that run already with these choices are left alone."""
    lay_out(choices)
    wanted = {service.name: service for service in every(choices)}
    if names is None:
        choices.record()
        stop([name for name in processes.recorded() if name not in wanted])
    elif set(names) - set(wanted):
        sys.exit("There is no %s, only:\n  %s" % (", ".join(sorted(set(names) - set(wanted))), "\n  ".join(wanted)))
    for layer in layers(choices):
        layer = [service for service in layer if names is None or service.name in names]
        for service in layer:
            if processes.runs(service.name) and processes.record(service.name)["command"] == list(service.command):
                continue
            stop([service.name])
            processes.launch(service)
        await_works(layer)


def start_extra(service):
    """Starts a service that is no part of the cloud, beside the running cloud."""
    lay_out(Choices.recorded())
    make_home(service)
    stop([service.name])
    processes.launch(service)
    await_works([service])


def await_works(services):
    deadline = time.monotonic() + LONGEST_START
    left = list(services)
    while left:
        for service in left:
            # In this order: a service that answered may have been about to end.
            if not processes.runs(service.name):
                raise DoesNotStart(service.name, "has ended")
        left = [service for service in left if not service.works(processes.record(service.name)["since"])]
        if left and time.monotonic() > deadline:
            raise DoesNotStart(left[0].name, "does not get ready")
        if left:
            time.sleep(0.3)


def stop(names, kill=False):
    """Stops services at the same time; a service without a record was not started."""
    known = [name for name in names if processes.record(name)]
    for name in known:
        processes.signal_service(name, signal.SIGKILL if kill else signal.SIGTERM, whole_session=kill or name in SCRIPTS)
    for name in known:
        processes.await_end(name, LONGEST_STOP.get(name, LONGEST_STOP_OF_OTHERS))


def stop_all(choices, kill=False):
    known = [[service.name for service in layer] for layer in layers(choices)]
    stop([name for name in processes.recorded() if name not in sum(known, [])], kill)
    for layer in reversed(known):
        stop(layer, kill)


def is_installed():
    """Returns whether there is a cloud in the folder; ends the program if it is of another release."""
    try:
        with open(INSTALLED, encoding="ascii") as record:
            # Testbeds before there were two releases have an empty record.
            found = record.read() or "bookworm"
    except FileNotFoundError:
        return False
    if found != release.NAME:
        sys.exit("The cloud in %s is of %s: set TESTBED_RELEASE=%s." % (place.FOLDER, found, found))
    return True


@contextlib.contextmanager
def mode(choices):
    """Runs the cloud in another mode, for which two services are restarted, and restores the usual mode at the end."""
    usual = Choices.recorded()
    if usual == choices:
        yield
        return
    with alone():
        start(choices)
    try:
        yield
    finally:
        with alone():
            start(usual)
