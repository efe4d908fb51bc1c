"""The runnable jar on somebody else's PostgreSQL: one lease lives, before and after a restart."""

import base64
import datetime
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PORT = 12345
CHECKS = 0


def check(condition, what):
    global CHECKS
    if not condition:
        raise AssertionError(what)
    CHECKS += 1
    print("  ok  " + what, flush=True)


def java():
    """Any installed JDK 25; the one on the PATH may be older."""
    candidates = [os.path.join(os.environ.get("JAVA_HOME", "/none"), "bin", "java"), "java"]
    candidates += sorted(glob.glob("/usr/lib/jvm/*25*/bin/java"))
    for candidate in candidates:
        try:
            said = subprocess.run([candidate, "-version"], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        if '"25' in said.stderr:
            return candidate
    raise AssertionError("no JDK 25 is installed")


def start(database_port, log):
    settings = {
        "server.port": PORT,
        "leasehold.database.url": "jdbc:postgresql://127.0.0.1:%s/leasehold" % database_port,
        "leasehold.database.user": "leasehold",
        "leasehold.database.password": "e2e",
    }
    for index, (name, role) in enumerate((("admin", "admin"), ("alice", "member"))):
        prefix = "leasehold.gateway.users[%d]." % index
        settings[prefix + "name"] = name
        settings[prefix + "password"] = "{noop}" + name
        settings[prefix + "user-id"] = name
        settings[prefix + "project-id"] = name
        settings[prefix + "project-name"] = name
        settings[prefix + "roles"] = role
    jar = os.path.join(ROOT, "infra", "runtime", "target", "leasehold.jar")
    engine = subprocess.Popen(
        [java(), "-Xmx512m", "-jar", jar] + ["--%s=%s" % item for item in settings.items()],
        stdout=log,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
    )
    deadline = time.time() + 120
    while time.time() < deadline and engine.poll() is None:
        try:
            if call("GET", "/actuator/health/readiness")["status"] == "UP":
                return engine
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    engine.kill()
    raise AssertionError("the engine does not get ready")


def call(method, path, body=None, user=None):
    request = urllib.request.Request("http://127.0.0.1:%d%s" % (PORT, path), method=method)
    if user:
        token = base64.b64encode(("%s:%s" % (user, user)).encode()).decode()
        request.add_header("Authorization", "Basic " + token)
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body).encode()
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def await_status(lease, status):
    deadline = time.time() + 20
    seen = None
    while time.time() < deadline:
        seen = call("GET", "/v1/leases/" + lease, user="alice")["lease"]["status"]
        if seen == status:
            return check(True, "the lease is " + status)
        time.sleep(0.2)
    raise AssertionError("the lease is %s, not %s" % (seen, status))


def main():
    database_port = sys.argv[1]
    log = tempfile.NamedTemporaryFile("a+", prefix="leasehold-server-", suffix=".log", delete=False)
    engine = start(database_port, log)
    try:
        check(True, "the jar starts on a PostgreSQL of one's own, by three settings")
        host = call("POST", "/v1/os-hosts", {"name": "compute-1"}, user="admin")["host"]
        check(host["hypervisor_hostname"] == "compute-1", "a host is enrolled")
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=30)
        lease = call(
            "POST",
            "/v1/leases",
            {
                "name": "on-15",
                "start_date": "now",
                "end_date": end.strftime("%Y-%m-%d %H:%M"),
                "reservations": [
                    {
                        "resource_type": "physical:host",
                        "min": 1,
                        "max": 1,
                        "hypervisor_properties": "",
                        "resource_properties": "",
                    }
                ],
            },
            user="alice",
        )["lease"]["id"]
        await_status(lease, "ACTIVE")
        engine.terminate()
        check(engine.wait(timeout=40) in (0, 143), "SIGTERM stops it gracefully")
        engine = start(database_port, log)
        await_status(lease, "ACTIVE")
        call("DELETE", "/v1/leases/" + lease, user="alice")
        deadline = time.time() + 20
        while call("GET", "/v1/leases", user="alice")["leases"] and time.time() < deadline:
            time.sleep(0.2)
        check(call("GET", "/v1/leases", user="alice")["leases"] == [], "it is deleted")
    except BaseException:
        log.seek(0)
        print("".join(log.readlines()[-40:]), file=sys.stderr)
        raise
    finally:
        engine.terminate()
        engine.wait(timeout=40)
    os.unlink(log.name)
    print("%d passed, 0 failed" % CHECKS)


if __name__ == "__main__":
    main()
