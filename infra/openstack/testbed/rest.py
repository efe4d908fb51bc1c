"""A user of the cloud who calls its REST API, which is much cheaper than a process of the command line."""

import json
import urllib.error
import urllib.request

from testbed import place

IDENTITY = "http://%s:5000/v3" % place.LOOPBACK

# The requested version of each API; the other APIs have only one.
VERSIONS = {"compute": "compute 2.79", "placement": "placement 1.36", "block-storage": "volume 3.59"}


class Refused(Exception):
    """An answer with an error; `status` is its HTTP status."""

    def __init__(self, status, text):
        super().__init__("%d %s" % (status, text))
        self.status = status


class Cloud:
    """The cloud as one user sees it, in one project; or in a trust's project, with the rights of the trust."""

    def __init__(self, user, project=None, trust=None):
        scope = {"OS-TRUST:trust": {"id": trust}} if trust else {
            "project": {"name": project or user, "domain": {"id": "default"}}}
        body = {"auth": {"scope": scope, "identity": {"methods": ["password"], "password": {
            "user": {"name": user, "domain": {"id": "default"}, "password": place.PASSWORD}}}}}
        headers, answer = _ask(IDENTITY + "/auth/tokens", "POST", body, {})
        self.token = headers["X-Subject-Token"]
        self.user = answer["token"]["user"]["id"]
        self.project = answer["token"]["project"]["id"]
        self.roles = {role["name"] for role in answer["token"]["roles"]}
        self.catalog = {service["type"]: endpoint["url"] for service in answer["token"]["catalog"]
                        for endpoint in service["endpoints"] if endpoint["interface"] == "public"}

    def get(self, service, path):
        return self.call(service, "GET", path)

    def post(self, service, path, body):
        return self.call(service, "POST", path, body)

    def put(self, service, path, body=None):
        return self.call(service, "PUT", path, body)

    def delete(self, service, path):
        return self.call(service, "DELETE", path)

    def call(self, service, method, path, body=None, content="application/json"):
        """Returns the JSON of the answer; raises Refused."""
        headers = {"X-Auth-Token": self.token, "Content-Type": content}
        if service in VERSIONS:
            headers["OpenStack-API-Version"] = VERSIONS[service]
        return _ask(self.catalog[service].rstrip("/") + path, method, body, headers)[1]

    def exists(self, service, path):
        try:
            self.get(service, path)
            return True
        except Refused as refused:
            if refused.status != 404:
                raise
            return False


def exchange(url, method, body, headers, timeout):
    """Returns the status and the text of any response. `body` is a text or None."""
    try:
        with _open(url, method, None if body is None else body.encode(), headers, timeout) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def parse(text):
    """Returns the JSON of a response, None if it has no text, or its text if that is no JSON."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _open(url, method, data, headers, timeout):
    request = urllib.request.Request(url, data, {
        "Content-Type": "application/json", "Accept": "application/json", **headers}, method=method)
    return urllib.request.urlopen(request, timeout=timeout)


def _ask(url, method, body, headers):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with _open(url, method, data, headers, 60) as answer:
            text = answer.read()
            return answer.headers, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        raise Refused(error.code, "%s %s: %s" % (method, url, error.read().decode(errors="replace"))) from error
