"""Leases as users see them."""

import datetime
import json
import time


def wish(name, start, length, hosts, which=""):
    return {"name": name, "start": stamp(start), "end": stamp(start + datetime.timedelta(seconds=length)),
            "reservations": [{"kind": "physical:host",
                              "parameters": {"min": hosts, "max": hosts,
                                             "hypervisor_properties": which, "resource_properties": ""}}]}


def named(host):
    """Returns the filter for the simulated host with a number."""
    return '["==", "$hypervisor_hostname", "compute-%d"]' % host


def stamp(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def lease(name, start=3600, length=3600, which=""):
    """Returns a request for one host; times are seconds from now."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return wish(name, now + datetime.timedelta(seconds=start), length, 1, which)


def create(engine, asked, user="demo"):
    answer, text = engine.call(user, "POST", "/api/leases", asked)
    if answer != 201:
        raise AssertionError("%d %s" % (answer, text))
    return json.loads(text)["id"]


def status(engine, made, user="demo"):
    answer, text = engine.call(user, "GET", "/api/leases/" + made)
    return json.loads(text)["status"] if answer == 200 else answer


def await_status(trial, engine, made, wanted, what):
    deadline = time.time() + 180
    while status(engine, made) != wanted:
        if time.time() > deadline:
            raise AssertionError("%s: it is %s" % (what, status(engine, made)))
        time.sleep(0.2)
    trial.check(True, what)
