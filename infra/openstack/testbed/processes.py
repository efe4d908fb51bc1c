"""Processes that outlive the script that started them, and that a later script recognises reliably."""

import datetime
import json
import os
import signal
import socket
import subprocess
import time

from testbed import place, release

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Taken(Exception):
    """Another process listens on a port that a service needs."""


def launch(service):
    """Starts a service, and does not wait until it works."""
    if service.port and is_taken(service.port):
        raise Taken("%s needs port %d, on which something else listens" % (service.name, service.port))
    since = datetime.datetime.now(datetime.timezone.utc)
    user, _ = release.ids(service.account)
    with open(place.log(service.name), "a", encoding="utf-8") as log:
        process = subprocess.Popen(
            release.inside(service.account, service.home(), *service.command), env=environment(service),
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, umask=0o022)
    give_way(process.pid)
    record = {"pid": process.pid, "birth": birth(process.pid), "boot": boot(), "account": user,
              "since": since.strftime("%Y-%m-%d %H:%M:%S"), "command": list(service.command)}
    with open(path(service.name), "w", encoding="ascii") as file:
        json.dump(record, file)


def give_way(pid):
    """Lowers the CPU share of a session by the niceness of this process: Linux may group processes by session."""
    try:
        with open("/proc/%d/autogroup" % pid, "w", encoding="ascii") as group:
            group.write(str(os.nice(0)))
    except OSError:
        pass  # A kernel without such groups, or a service that has ended already.


def environment(service):
    return {"PATH": PATH, "HOME": service.home(), "LANG": "C.UTF-8", "PYTHONPATH": place.LIBRARY,
            "PYTHONDONTWRITEBYTECODE": "1", **service.environment}


def path(name):
    return os.path.join(place.RECORDS, name + ".json")


def recorded():
    """Returns the names of all services that were started and not stopped; some may have ended by themselves."""
    if not os.path.isdir(place.RECORDS):
        return []
    return sorted(file[:-len(".json")] for file in os.listdir(place.RECORDS) if file.endswith(".json"))


def record(name):
    try:
        with open(path(name), encoding="ascii") as file:
            return json.load(file)
    except (FileNotFoundError, ValueError):
        return None


def runs(name):
    known = record(name)
    return known is not None and is_leader(known)


def is_leader(known):
    """Returns true if the recorded process runs: numbers are reused, but not with the same birth in the same boot."""
    return known["boot"] == boot() and birth(known["pid"]) == known["birth"]


def signal_service(name, number, whole_session=False):
    """Sends a signal to the process, or to all processes of its session."""
    known = record(name)
    if known is None:
        return
    if whole_session or not is_leader(known):
        targets = session(known)
    else:
        targets = [known["pid"]]
    for pid in targets:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def await_end(name, patience):
    """Waits for the end of a service; kills it after this time, with all remaining processes of its session."""
    known = record(name)
    if known is None:
        return
    deadline = time.monotonic() + patience
    while is_leader(known) and time.monotonic() < deadline:
        time.sleep(0.05)
    deadline = time.monotonic() + 10
    while session(known):
        if time.monotonic() > deadline:
            raise AssertionError("%s cannot be killed" % name)
        signal_service(name, signal.SIGKILL, whole_session=True)
        time.sleep(0.05)
    os.remove(path(name))


def session(known):
    """Returns all processes of a service. While one of them runs, no other session has its number."""
    if known["boot"] != boot() or (birth(known["pid"]) not in (None, known["birth"])):
        return []
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and belongs(int(pid), known)]


def belongs(pid, known):
    status = stat(pid)
    try:
        return status is not None and int(status[3]) == known["pid"] and os.stat("/proc/%d" % pid).st_uid in (
            known["account"], 0)
    except FileNotFoundError:
        return False


def birth(pid):
    """Returns the start of a process in ticks since the boot; None if it does not exist, or is a zombie."""
    status = stat(pid)
    return None if status is None else int(status[19])


def stat(pid):
    """Returns the fields of /proc/PID/stat after the name, which may contain any characters."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else fields


def boot():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


def is_taken(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((place.LOOPBACK, port))
            return False
        except OSError:
            return True
