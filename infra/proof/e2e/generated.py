"""Generates clients from the API description and uses them, and sends random requests that the description allows."""

import os
import shutil
import subprocess

from harness import share
from harness.engine import ROOT
from harness.python_tools import PythonTools
from harness.trial import Trial, arguments

GENERATORS = os.path.join(ROOT, "infra", "proof", "e2e", "generators")
OPENAPI = os.path.join(ROOT, "infra", "docs", "openapi", "openapi.json")
GENERATED_EXAMPLES = "5"
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
          "negative_data_rejection"]
HOSTS = 4


class Workshop:
    """A folder with a copy of the sources that use generated clients, and the user that these log in as."""

    def __init__(self, trial, engine):
        self.trial = trial
        self.login = [engine.url, "demo", engine.passwords["demo"]]
        self.folder = os.path.join(trial.folder, "generators")
        shutil.copytree(GENERATORS, self.folder)
        self.python = PythonTools(os.path.join(trial.folder, "python"), self.path("requirements.txt"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def passes(self, what, *command, folder):
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder,
                              env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        self.trial.count(done.returncode == 0, what, done.stdout[-3000:] + done.stderr[-3000:])
        return done.returncode == 0


def check_typescript(workshop):
    folder = workshop.path("typescript")
    tool = os.path.join(folder, "node_modules", ".bin")
    subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True)
    if (workshop.passes("openapi-typescript generates types", os.path.join(tool, "openapi-typescript"), OPENAPI, "--output",
                        "leasehold.d.ts", folder=folder)
            and workshop.passes("the compiler accepts a client, and refuses a wrong parameter", os.path.join(tool, "tsc"),
                                "--project", ".", folder=folder)):
        workshop.passes("a client in TypeScript leases a host", "node", os.path.join("out", "client.js"), *workshop.login,
                        folder=folder)


def check_java(workshop):
    folder = workshop.path("java")
    maven = os.path.join(ROOT, "infra", "proof", "harness", "maven")
    if workshop.passes("openapi-generator-maven-plugin writes a client that compiles", maven, "--batch-mode", "--quiet",
                       "-Ddescription=" + OPENAPI, "compile", folder=folder):
        workshop.passes("a client in Java leases a host", maven, "--batch-mode", "--quiet", "-Ddescription=" + OPENAPI,
                        "exec:java", "-Dexec.args=" + " ".join(workshop.login), folder=folder)


def check_go(workshop):
    folder = workshop.path("go")
    if not workshop.passes(
            "openapi-generator writes a client for Go", workshop.python.program("openapi-generator-cli"), "generate",
            "--generator-name", "go", "--input-spec", OPENAPI, "--output", "client", "--package-name", "leasehold",
            "--additional-properties", "withGoMod=false",
            "--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false", folder=folder):
        return
    with open(os.path.join(folder, "client", "go.mod"), "w", encoding="utf-8") as module:
        module.write("module leasehold.example/client\n\ngo 1.19\n")
    if workshop.passes("Go finds its modules", "go", "mod", "tidy", folder=folder):
        workshop.passes("a client in Go leases a host", "go", "run", ".", *workshop.login, folder=folder)


def check_random_requests(workshop, engine):
    """
    Sends requests that the description allows, and requests that it does not. A described request may be refused: the
    calendar and the ids of objects are not in the description. In the check, the users take turns.
    """
    for number, user in enumerate(("demo", "admin")):
        if not share.has(number, 2):
            continue
        workshop.passes(
            "random requests as %s find nothing" % user, workshop.python.program("schemathesis"), "run", OPENAPI,
            "--url", engine.url, "--auth", "%s:%s" % (user, engine.passwords[user]), "--checks", ",".join(CHECKS),
            "--max-examples", GENERATED_EXAMPLES, "--workers", "2", "--generation-deterministic",
            "--request-timeout", "20", folder=workshop.folder)


def main():
    given = arguments(12740)
    with Trial("generated") as trial:
        engine = trial.engine("engine", given.port + 1, 4, trial.postgres(given.port).create(), given.classpath_file)
        engine.start()
        for number in range(1, HOSTS + 1):
            status, text = engine.call("admin", "POST", "/v1/os-hosts", {"name": "compute-%d" % number})
            trial.check(status == 201, "a host is enrolled", text)
        workshop = Workshop(trial, engine)
        workshop.python.install()
        # In the check, the generators take turns.
        for number, check in enumerate((check_typescript, check_java, check_go)):
            if share.has(number, 3):
                check(workshop)
        check_random_requests(workshop, engine)


if __name__ == "__main__":
    main()
