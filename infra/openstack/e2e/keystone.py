"""Checks the rights of users that Keystone authenticates; the leased cloud is the simulated one."""

import contextlib
import datetime
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

from e2e.proxy import Proxy
from harness.engine import Engine
from harness.openstack_command import openstack
from harness.trial import Trial
from testbed import place, processes
from testbed.rest import IDENTITY, Cloud, Refused
from testbed.users import await_that

# The port of the product in the catalog.
PORT = 1234

# Seconds. A request that needs no answer of Keystone takes less, also while Keystone hangs.
QUESTION_TIMEOUT = 3

# The engine's own user, and the address where all users log in.
SETTINGS = {
    "leasehold.openstack.user": "leasehold",
    "leasehold.openstack.password": place.PASSWORD,
    "leasehold.openstack.project": "service",
    "leasehold.openstack.region": place.REGION,
    "leasehold.authentication.method": "keystone",
    "leasehold.authentication.login-url": IDENTITY,
    "leasehold.authentication.cache-time": "1h",
    "leasehold.authentication.revocation-interval": "1s",
    "leasehold.authentication.timeout": "%ds" % QUESTION_TIMEOUT,
}
NAME = "keystone-%d" % os.getpid()


class People:
    """Projects, users and roles that a trial creates."""

    def __init__(self):
        self.admin = Cloud("admin")

    def member(self, things, name):
        """Creates a user in a project of the same name; returns project and user."""
        project = self.make(things, "project", name=name, domain_id="default")
        user = self.make(things, "user", name=name, domain_id="default", password=place.PASSWORD)
        self.grant(project, user, self.role("member"))
        return project, user

    def disable(self, user):
        self.admin.call("identity", "PATCH", "/users/" + user, {"user": {"enabled": False}})

    def make(self, things, kind, **fields):
        made = self.admin.post("identity", "/%ss" % kind, {kind: fields})[kind]["id"]
        things.callback(self.admin.delete, "identity", "/%ss/%s" % (kind, made))
        return made

    def role(self, name):
        return self.admin.get("identity", "/roles?name=" + name)["roles"][0]["id"]

    def grant(self, project, user, role):
        self.admin.put("identity", "/projects/%s/users/%s/roles/%s" % (project, user, role))


class Product(Engine):
    """An engine whose users are Keystone's."""

    def _passwords(self):
        return {}

    def ask(self, token, method="GET", path="/v1/leases", body=None):
        """Returns status, headers and body of the answer."""
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **({"X-Auth-Token": token} if token else {})})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def status(self, token, *what):
        return self.ask(token, *what)[0]


class CommandLine:
    """The command `openstack reservation` as one user: the installed one, or that of another program."""

    def __init__(self, cloud, program=None, **environment):
        self.program = program
        self.words = ["--os-cloud", cloud] if cloud else []
        self.environment = {**os.environ, "OS_CLIENT_CONFIG_FILE": place.CLOUDS, **environment}

    def run(self, *words):
        given = [*self.words, "reservation", *words]
        if self.program:
            return subprocess.run([self.program, *given], env=self.environment, capture_output=True, text=True, timeout=120,
                                  check=False)
        return openstack(given, self.environment)

    def json(self, *words):
        # Some commands print a sentence before their answer.
        return json.loads(re.search(r"[{\[].*", self.done(*words, "-f", "json"), re.DOTALL).group())

    def done(self, *words):
        done = self.run(*words)
        if done.returncode:
            raise AssertionError("%s: %s" % (" ".join(words), done.stderr))
        return done.stdout

    def refused(self, *words):
        done = self.run(*words)
        if not done.returncode:
            raise AssertionError("%s should have been refused" % " ".join(words))
        return done.stderr


def minutes(count):
    """Returns the time in this number of minutes, in the client's format."""
    when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=count)
    return when.strftime("%Y-%m-%d %H:%M")


RESERVATION = "resource_type=physical:host,min=1,max=1"
WISH = {"name": NAME, "start_date": minutes(600), "end_date": minutes(660), "events": [], "reservations": [
    {"resource_type": "physical:host", "min": 1, "max": 1, "hypervisor_properties": "", "resource_properties": ""}]}


class Keystone(People):
    def __init__(self, trial, engine, proxy):
        super().__init__()
        self.trial = trial
        self.engine = engine
        self.proxy = proxy

    def show(self):
        self.check_cloud()
        self.command_line()
        self.commands()
        with contextlib.ExitStack() as things:
            self.tokens(things)
        with contextlib.ExitStack() as things:
            self.revocations(things)
        with contextlib.ExitStack() as things:
            self.credentials(things)
        self.away()

    def count(self, holds, what, evidence=""):
        self.trial.count(holds, what, evidence)

    def check_cloud(self):
        """Checks the operator's command check-cloud beside the running engine."""
        settings = {**self.engine.settings, "leasehold.plugins.openstack-hosts.isolation": "tenancy",
                    **{"leasehold.plugins.openstack-%s.enabled" % kind: "true"
                       for kind in ("floatingips", "networks", "volumes", "servers", "stacks")}}
        answer, printed = self.check_with(settings)
        self.count(answer == 0 and "ok      keystone: " in printed and "ok      virtual:stack: orchestration: " in printed
                   and "FAILED" not in printed, "check-cloud finds every right of the engine's account", printed)
        answer, printed = self.check_with({**settings, "leasehold.openstack.password": "a wrong one"})
        self.count(answer == 1 and "refuses the engine's login (401)" in printed,
                   "and names the settings where the password is wrong", printed)

    def check_with(self, settings):
        words = self.engine.command("check-cloud", *("--%s=%s" % each for each in settings.items()))
        done = subprocess.run(words, cwd=self.engine.folder, text=True, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return done.returncode, done.stdout

    def lines(self):
        return [CommandLine(name) for name in ("demo", "other", "reader", "admin")]

    def command_line(self):
        demo, other, reader, admin = self.lines()
        made = demo.json("lease", "create", NAME, "--start-date", minutes(60), "--end-date", minutes(120),
                         "--reservation", RESERVATION)
        ours = Cloud("demo")
        self.count((made["project_id"], made["user_id"]) == (ours.project, ours.user),
                   "a lease is its user's, in their project", made)
        self.count([each["name"] for each in demo.json("lease", "list")] == [NAME], "who made it lists it")
        self.count([each["name"] for each in reader.json("lease", "list")] == [NAME]
                   and reader.json("lease", "show", NAME)["id"] == made["id"], "a reader of the project sees it")
        self.count(NAME in [each["name"] for each in admin.json("lease", "list")], "an administrator sees it")
        self.count(other.json("lease", "list") == [] and "not found" in other.refused(
            "lease", "show", made["id"]).lower(), "for another project there is no such lease")
        for words in (("set", made["id"], "--name", "theirs"), ("delete", made["id"])):
            self.count("not found" in other.refused("lease", *words).lower(),
                       "nor one to %s" % words[0])
            self.count("Policy doesn't allow" in reader.refused("lease", *words), "a reader may not %s it" % words[0])
        self.count("Policy doesn't allow" in reader.refused(
            "lease", "create", "no", "--end-date", minutes(60), "--reservation", RESERVATION),
            "a reader makes no lease")
        demo.done("lease", "set", NAME, "--name", NAME + "-renamed")
        self.count(demo.json("lease", "show", made["id"])["name"] == NAME + "-renamed", "who made it changes it")
        admin.done("lease", "delete", made["id"])
        await_that(lambda: demo.json("lease", "list") == [], "the lease is gone")
        self.count(True, "an administrator deletes it")

    def commands(self):
        """Checks the commands of administrators."""
        demo, _, reader, admin = self.lines()
        host = admin.json("host", "create", "compute-7", "--extra", "gpu=V100")
        self.count(host["hypervisor_hostname"] == "compute-7" and host["gpu"] == "V100", "an administrator enrols a host")
        admin.done("host", "set", "compute-7", "--extra", "rack=r1")
        self.count(admin.json("host", "show", "compute-7")["rack"] == "r1", "and changes it")
        self.count("gpu" in [each["property"] for each in admin.json("host", "property", "list")],
                   "and lists properties")
        for line, who in ((demo, "member"), (reader, "reader")):
            self.count("Policy doesn't allow" in line.refused("host", "create", "compute-8")
                       and "Policy doesn't allow" in line.refused("host", "list"), "a %s does not" % who)
        admin.done("host", "delete", "compute-7")
        self.count("compute-7" not in [each["hypervisor_hostname"] for each in admin.json("host", "list")],
                   "and retires it")

    def tokens(self, things):
        status, headers, text = self.engine.ask(None)
        self.count(status == 401 and headers["WWW-Authenticate"] == 'Keystone uri="%s"' % IDENTITY
                   and json.loads(text)["error"]["title"] == "Unauthorized",
                   "without a token one is sent to Keystone", (status, str(headers), text))
        self.count(self.engine.status("garbage") == 401, "garbage is no token")
        self.count(self.engine.status(Login("demo").token) == 401, "a token without a project is nobody's")
        system = Login("admin", scope={"system": {"all": True}}).token
        answers = [self.engine.status(system), self.engine.status(system, "GET", "/api/leases"),
                   self.engine.status(system, "POST", "/v1/leases", WISH),
                   self.engine.status(system, "GET", "/api/operations/drift")]
        self.count(answers == [200, 200, 403, 403], "an administrator of the system reads, and does nothing", answers)
        forged = urllib.request.Request(self.engine.url + "/v1/leases", headers={
            "X-Identity-Status": "Confirmed", "X-Project-Id": Cloud("demo").project, "X-Roles": "admin"})
        try:
            with urllib.request.urlopen(forged, timeout=30) as answer:
                status = answer.status
        except urllib.error.HTTPError as error:
            status = error.code
        self.count(status == 401, "headers that only middleware may set are nobody's word", status)
        project = self.make(things, "project", name=NAME, domain_id="default")
        user = self.make(things, "user", name=NAME, domain_id="default", password=place.PASSWORD)
        self.grant(project, user, self.make(things, "role", name=NAME))
        self.count(self.engine.status(Cloud(NAME).token) == 403, "a role that means nothing here is none")
        self.grant(project, user, self.role("member"))
        self.count(self.engine.status(Cloud(NAME).token) == 200, "a member is one")
        self.beyond_projects(user)

    def beyond_projects(self, user):
        """Checks the effect of roles in a domain and in the whole system; they are removed with their user."""
        self.admin.put("identity", "/domains/default/users/%s/roles/%s" % (user, self.role("admin")))
        self.admin.put("identity", "/system/users/%s/roles/%s" % (user, self.role("reader")))
        ours = Cloud("demo")
        made = json.loads(self.engine.ask(ours.token, "POST", "/v1/leases", WISH)[2])["lease"]["id"]
        domain = Login(NAME, scope={"domain": {"id": "default"}}).token
        status, _, text = self.engine.ask(domain)
        self.count(status == 403 and "of a domain" in text, "an administrator of a domain gets 403",
                   (status, text))
        system = Login(NAME, scope={"system": {"all": True}}).token
        leases = json.loads(self.engine.ask(system)[2])["leases"]
        self.count(made in [each["id"] for each in leases], "a reader of the system sees all projects' leases", leases)
        self.count(self.engine.status(system, "GET", "/api/leases/%s/history" % made) == 200, "and who did what")
        answers = [self.engine.status(system, "POST", "/v1/leases", WISH),
                   self.engine.status(system, "DELETE", "/v1/leases/" + made)]
        self.count(answers == [403, 403], "and changes nothing", answers)
        self.count(self.engine.status(ours.token, "DELETE", "/v1/leases/" + made) == 204, "its owner does")

    def revocations(self, things):
        gone = Cloud("demo")
        self.accepted(gone.token, "a token")
        before = time.monotonic()
        _revoke(gone.token)
        self.refused(gone.token, before, "it is revoked")
        _, user = self.member(things, NAME)
        token = Cloud(NAME).token
        self.accepted(token, "a user")
        before = time.monotonic()
        self.disable(user)
        self.refused(token, before, "they are disabled")

    def accepted(self, token, whose):
        self.count(self.engine.status(token) == 200 and self.engine.status(token) == 200, whose + " is accepted")

    def refused(self, token, since, why):
        await_that(lambda: self.engine.status(token) == 401, "refused because " + why)
        self.count(True, "refused %.1f s after %s, with an hour of cache time" % (time.monotonic() - since, why))

    def credentials(self, things):
        demo = Cloud("demo")
        free = self.credential(things, demo, NAME)
        line = CommandLine(None, OS_AUTH_TYPE="v3applicationcredential", OS_AUTH_URL=IDENTITY,
                           OS_REGION_NAME=place.REGION, OS_APPLICATION_CREDENTIAL_ID=free["id"],
                           OS_APPLICATION_CREDENTIAL_SECRET=free["secret"])
        made = line.json("lease", "create", NAME, "--start-date", minutes(60), "--end-date", minutes(120),
                         "--reservation", RESERVATION)
        self.count(made["project_id"] == demo.project, "an application credential makes a lease in its project", made)
        line.done("lease", "delete", made["id"])
        rules = [{"service": "reservation", "method": "GET", "path": "/v1/leases/**"},
                 {"service": "reservation", "method": "GET", "path": "/v1/leases"}]
        token = Login(credential=self.credential(things, demo, NAME + "-restricted", access_rules=rules)).token
        answers = [self.engine.status(token), self.engine.status(token, "GET", "/v1/leases/none"),
                   self.engine.status(token, "POST", "/v1/leases", WISH), self.engine.status(token, "GET", "/api/leases")]
        self.count(answers == [200, 404, 401, 401], "a restricted one does what it names, and no more", answers)
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=4)
        short = Login(credential=self.credential(things, demo, NAME + "-short",
                                                 expires_at=end.strftime("%Y-%m-%dT%H:%M:%S.000000"))).token
        self.accepted(short, "a token that ends in some seconds")
        await_that(lambda: self.engine.status(short) == 401, "it is expired")
        self.count(datetime.datetime.now(datetime.timezone.utc) >= end - datetime.timedelta(seconds=1),
                   "expired it is refused")

    def away(self):
        """Checks the product while Keystone is unreachable, and while it does not answer."""
        for how, back, what in ((self.proxy.close, self.proxy.open, "is away"),
                                (self.proxy.hang, self.proxy.resume, "hangs")):
            known, fresh = Cloud("demo").token, Cloud("other").token
            self.accepted(known, "a user whom the product knows")
            how()
            began = time.monotonic()
            self.count(self.engine.status(known) == 200 and time.monotonic() - began < QUESTION_TIMEOUT,
                       "goes on while Keystone %s" % what)
            status, headers, text = self.engine.ask(fresh)
            self.count(status == 503 and headers["Retry-After"] and "Keystone" in text,
                       "others get Retry-After, after %.1f s" % (time.monotonic() - began), (status, text))
            self.count(self.engine.is_ready(), "the product stays ready")
            back()
            self.count(self.engine.status(fresh) == 200, "and they are let in when it is back")

    def credential(self, things, owner, name, **fields):
        path = "/users/%s/application_credentials" % owner.user
        made = []

        def make():
            try:
                made.append(owner.post("identity", path, {"application_credential": {"name": name, **fields}}))
            except Refused as refused:
                # After the deletion of another user, Keystone may miss roles for a moment: its workers share a cache.
                if "Could not find role assignment" not in str(refused):
                    raise
            return made

        await_that(make, "an application credential")
        credential = made[0]["application_credential"]
        things.callback(owner.delete, "identity", path + "/" + credential["id"])
        return credential


class Login:
    """A token that is not simply of a user in a project."""

    def __init__(self, user=None, scope=None, credential=None):
        if credential:
            identity = {"methods": ["application_credential"], "application_credential": {
                "id": credential["id"], "secret": credential["secret"]}}
        else:
            identity = {"methods": ["password"], "password": {
                "user": {"name": user, "domain": {"id": "default"}, "password": place.PASSWORD}}}
        body = {"auth": {"identity": identity, **({"scope": scope} if scope else {})}}
        request = urllib.request.Request(IDENTITY + "/auth/tokens", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.token = answer.headers["X-Subject-Token"]


def _revoke(token):
    request = urllib.request.Request(IDENTITY + "/auth/tokens", method="DELETE",
                                     headers={"X-Auth-Token": token, "X-Subject-Token": token})
    urllib.request.urlopen(request, timeout=30).close()


def main():
    if not processes.runs("keystone"):
        sys.exit("There is no cloud: infra/openstack/testbed/start comes first.")
    with Trial("keystone") as trial:
        # Only the engine calls through it: users and all other services have the real address.
        proxy = Proxy(PORT + 1, 5000)
        proxy.open()
        engine = trial.engine("engine", PORT, 8, make=Product, settings={
            **SETTINGS, "leasehold.openstack.auth-url": "http://%s:%d/v3" % (place.LOOPBACK, proxy.port)})
        engine.start()
        Keystone(trial, engine, proxy).show()


if __name__ == "__main__":
    main()
