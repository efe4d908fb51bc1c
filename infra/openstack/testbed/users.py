"""Actions of users in a cloud; everything that they create is removed at the end of its exit stack `things`."""

import contextlib
import time

from testbed.rest import Cloud, Refused

PATIENCE = 180

# A request costs the services of the cloud up to a tenth of a second of a processor.
FIRST_PAUSE = 0.15
LONGEST_PAUSE = 1.0


class User:
    """A user in one project."""

    def __init__(self, name, project=None, trust=None):
        self.cloud = Cloud(name, project, trust)

    def make(self, things, service, path, kind, body, key="id", **around):
        """Creates something, and registers its removal: the last one first, each after the removal before has ended."""
        made = self.cloud.post(service, path, {kind: body, **around} if kind else body)
        made = made.get(kind, made)
        things.callback(self.remove, service, "%s/%s" % (path, made[key]))
        return made

    def remove(self, service, path):
        with contextlib.suppress(Gone):
            self.delete(service, path)
            await_that(lambda: not self.cloud.exists(service, path), "%s is gone" % path)

    def delete(self, service, path):
        try:
            self.cloud.delete(service, path)
        except Refused as refused:
            if refused.status == 404:
                raise Gone from refused
            raise

    def aggregates(self):
        return self.cloud.get("compute", "/os-aggregates")["aggregates"]

    def aggregate(self, name):
        """Returns the aggregate of hosts, or None if there is none."""
        return next((each for each in self.aggregates() if each["name"] == name), None)

    def freepool(self):
        """Returns the aggregate of hosts that no lease has; without one, an aggregate that only has no hosts."""
        return self.aggregate("freepool") or {"hosts": []}

    def remove_aggregate(self, one):
        """Removes an aggregate, and its hosts from it."""
        self.empty_aggregate(one)
        self.cloud.delete("compute", "/os-aggregates/%s" % one)

    def empty_aggregate(self, one):
        """Removes all hosts from an aggregate."""
        path = "/os-aggregates/%s" % one
        for host in self.cloud.get("compute", path)["aggregate"]["hosts"]:
            self.cloud.post("compute", path + "/action", {"remove_host": {"host": host}})

    def server(self, things, name, flavor="1", where=None, hints=None, **fields):
        """Starts a server, and does not wait for it."""
        image = self.cloud.get("image", "/v2/images?name=cirros")["images"][0]["id"]
        body = {"name": name, "flavorRef": flavor, "imageRef": image, "networks": "none", **fields}
        if where:
            body["host"] = where
        return self.make(things, "compute", "/servers", "server", body,
                         **{"os:scheduler_hints": hints} if hints else {})["id"]

    def act(self, server, action, details=None):
        self.cloud.post("compute", "/servers/%s/action" % server, {action: details})

    def await_server(self, server, status):
        """Waits until the server has the status; returns its host."""
        return self.await_status("compute", "/servers/" + server, "server", status)["OS-EXT-SRV-ATTR:host"]

    def await_status(self, service, path, kind, wanted, field="status"):
        def reached():
            found = self.cloud.get(service, path)[kind]
            if found[field] == wanted:
                return found
            broken = found[field].upper() if wanted.upper() not in ("ERROR",) else ""
            if "ERROR" in broken or "FAILED" in broken:
                raise AssertionError("%s is %s: %s" % (path, found[field], found.get("fault", found)))
            return None
        return await_that(reached, "%s is %s" % (path, wanted))


class Gone(Exception):
    """Something else has removed it already."""


def await_that(holds, what, patience=PATIENCE, longest_pause=LONGEST_PAUSE):
    """Asks with growing pauses until the answer is true, and returns the answer."""
    deadline = time.monotonic() + patience
    pause = FIRST_PAUSE
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError("in %d s it did not happen that %s" % (patience, what))
        time.sleep(pause)
        pause = min(longest_pause, 1.5 * pause)


def catch(holds, what):
    """Like `await_that`, for a state that passes quickly."""
    return await_that(holds, what, longest_pause=FIRST_PAUSE)
