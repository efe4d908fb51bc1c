"""Validates published formats with third-party tools: API descriptions, a generated client, webhooks, calendars."""

import http.server
import json
import os
import shutil
import subprocess
import threading

from harness import leases
from harness.engine import ROOT
from harness.python_tools import PythonTools
from harness.trial import Trial, arguments
from harness.waiting import await_that

VALIDATORS = os.path.join(ROOT, "infra", "proof", "e2e", "validators")
OPENAPI = os.path.join(ROOT, "infra", "docs", "openapi", "openapi.json")
BLAZAR = os.path.join(ROOT, "infra", "docs", "openapi", "openapi-blazar.json")
ASYNCAPI = os.path.join(ROOT, "infra", "docs", "openapi", "asyncapi.json")
EVENTS = ["org.leasehold.LeaseRequested", "org.leasehold.LeaseDeleted"]


class Tools:
    """Validators in a folder of this run, in the versions that the folder `validators` pins."""

    def __init__(self, folder):
        self.python_tools = PythonTools(os.path.join(folder, "python"), os.path.join(VALIDATORS, "requirements.txt"))
        self.npm_folder = os.path.join(folder, "npm")
        shutil.copytree(VALIDATORS, self.npm_folder)

    def install(self):
        npm = subprocess.Popen(["npm", "ci", "--silent"], cwd=self.npm_folder)
        try:
            self.python_tools.install()
        finally:
            failed = npm.wait()
        if failed:
            raise AssertionError("the validators cannot be installed")

    def program(self, name):
        return self.python_tools.program(name)

    def npm(self, name, *what):
        return run(os.path.join(self.npm_folder, "node_modules", ".bin", name), *what)

    def node(self, script, *what):
        return run("node", os.path.join(self.npm_folder, script), *what)

    def python(self, script, *what, folder=None):
        return run(self.program("python"), os.path.join(VALIDATORS, script), *what, path=folder)


def run(*command, path=None):
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", **({"PYTHONPATH": path} if path else {}))
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


class Receiver(http.server.ThreadingHTTPServer):
    """A receiver of webhooks that stores each request unchanged."""

    def __init__(self, port):
        super().__init__(("127.0.0.1", port), Receiving)
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Receiving(http.server.BaseHTTPRequestHandler):

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        # The form in which Node passes them to its libraries.
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append({"headers": headers, "body": body})
        self.send_response(204)
        self.end_headers()

    def log_message(self, *what):
        """Logs nothing: the requests are checked."""


def passed(trial, done, what):
    trial.count(done.returncode == 0, what, done.stdout[-1000:] + done.stderr[-1000:])
    return done.returncode == 0


def check_descriptions(trial, tools):
    for document in (OPENAPI, BLAZAR):
        name = os.path.basename(document)
        passed(trial, run(tools.program("openapi-spec-validator"), document), "%s is valid OpenAPI" % name)
        for linter, done in (("Spectral", spectral(tools, document)), ("Redocly", redocly(tools, document))):
            passed(trial, done, "%s finds nothing in %s" % (linter, name))
    passed(trial, tools.node("asyncapi.mjs", ASYNCAPI), "asyncapi.json is valid AsyncAPI")
    broken = os.path.join(trial.folder, "broken.json")
    for file, tool in ((OPENAPI, lambda: run(tools.program("openapi-spec-validator"), broken)),
                       (OPENAPI, lambda: spectral(tools, broken)),
                       (OPENAPI, lambda: redocly(tools, broken)),
                       (ASYNCAPI, lambda: tools.node("asyncapi.mjs", broken))):
        with open(file, encoding="utf-8") as text:
            description = json.load(text)
        del description["info"]["title"]
        with open(broken, "w", encoding="utf-8") as text:
            json.dump(description, text)
        trial.count(tool().returncode != 0, "%s without a title is not" % os.path.basename(file))


def spectral(tools, document):
    rules = os.path.join(VALIDATORS, "spectral.yaml")
    return tools.npm("spectral", "lint", "--quiet", "--fail-severity", "hint", "--ruleset", rules, document)


def redocly(tools, document):
    """Fails on warnings, too; the linter itself fails on errors alone."""
    done = tools.npm("redocly", "lint", "--config", os.path.join(VALIDATORS, "redocly.yaml"), "--format", "json", document)
    found = json.loads(done.stdout[done.stdout.index("{"):])["problems"] if "{" in done.stdout else None
    return done if found == [] else subprocess.CompletedProcess(done.args, done.returncode or 1, done.stdout, done.stderr)


def check_client(trial, tools, engine):
    """Checks that the Python client that openapi-generator writes works."""
    folder = os.path.join(trial.folder, "client")
    done = run(tools.program("openapi-generator-cli"), "generate", "--generator-name", "python", "--input-spec", OPENAPI,
               "--output", folder, "--package-name", "leasehold_client",
               "--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false")
    if passed(trial, done, "openapi-generator writes a client for Python"):
        done = tools.python("client.py", engine.url, "demo", engine.passwords["demo"], folder=folder)
        passed(trial, done, "which creates, shows, lists and deletes a lease, and reads events")


def check_webhooks(trial, tools, engine, receiver):
    status, text = engine.call("demo", "POST", "/api/webhooks", {
        "url": "http://127.0.0.1:%d/" % receiver.server_port, "types": [name.rpartition(".")[2] for name in EVENTS]})
    trial.check(status == 201, "a webhook is made", text)
    lease = leases.create(engine, leases.lease("webhook"))
    engine.call("demo", "DELETE", "/api/leases/" + lease)

    def requests():
        """Returns the requests about this lease: the cloud may end another one meanwhile."""
        return [each for each in receiver.requests if lease in each["body"]]

    await_that(lambda: len(requests()) >= len(EVENTS), "both events are sent")
    sent = {"secret": json.loads(text)["secret"], "requests": requests()}
    done = verify(trial, tools, sent)
    passed(trial, done, "standardwebhooks verifies the signatures, and cloudevents reads the events")
    trial.count(done.stdout.split() == EVENTS, "which are those that happened", done.stdout)
    sent["requests"] = [dict(each, body=each["body"].replace("webhook", "changed")) for each in requests()]
    trial.count(verify(trial, tools, sent).returncode != 0, "a changed body is refused")


def verify(trial, tools, sent):
    file = os.path.join(trial.folder, "webhooks.json")
    with open(file, "w", encoding="utf-8") as text:
        json.dump(sent, text)
    return tools.node("webhook.mjs", file)


def check_calendar(trial, tools, engine):
    status, text = engine.call("demo", "POST", "/api/calendar/feeds", {"name": "Validators"})
    trial.check(status == 201, "a calendar feed is made", text)
    made = [leases.create(engine, leases.lease("Größe, \"%d\";\n" % number + "long " * 9, start=7200 * number))
            for number in (1, 2)]
    address = json.loads(text)["url"].removeprefix(engine.url)
    await_that(lambda: all(lease in engine.call("demo", "GET", address)[1] for lease in made), "both leases are in the feed")
    calendar = engine.call("demo", "GET", address)[1]
    file = os.path.join(trial.folder, "calendar.ics")
    with open(file, "w", encoding="utf-8", newline="") as text:
        text.write(calendar)
    done = tools.python("calendar_uids.py", file)
    if passed(trial, done, "icalendar parses the feed without an error"):
        trial.count(set(made) <= set(done.stdout.split()), "and finds each lease in it", done.stdout)


def main():
    given = arguments(12720)
    with Trial("formats") as trial:
        tools = Tools(trial.folder)
        tools.install()
        receiver = Receiver(given.port + 2)
        trial.afterwards.callback(receiver.server_close)
        trial.afterwards.callback(receiver.shutdown)
        engine = trial.engine("engine", given.port + 1, 4, trial.postgres(given.port).create(), given.classpath_file)
        engine.settings["leasehold.webhooks.allow-http"] = "true"
        engine.settings["leasehold.webhooks.allowed-networks"] = "127.0.0.0/8"
        engine.start()
        for number in range(1, 5):
            status, text = engine.call("admin", "POST", "/v1/os-hosts", {"name": "compute-%d" % number})
            trial.check(status == 201, "a host is enrolled", text)
        check_descriptions(trial, tools)
        check_client(trial, tools, engine)
        check_webhooks(trial, tools, engine, receiver)
        check_calendar(trial, tools, engine)


if __name__ == "__main__":
    main()
