"""Checks dashboards and alerts on a real Prometheus: their queries, and the answers for a short scenario."""

import contextlib
import datetime
import glob
import json
import os
import re
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections import Counter

from harness import leases
from harness.engine import ROOT, Engine
from harness.postgres import Hold
from harness.trial import Trial, arguments
from harness.waiting import await_that

FOLDER = os.path.join(ROOT, "infra", "monitoring")
COLLECTOR = "prometheus"

# Seconds: the whole scenario lies within them, with quiet times before and after. Collecting begins earlier, so that
# Prometheus does not extrapolate.
RANGE = 110
QUIET = 4

# Intervals in seconds: the engine updates its counts, and Prometheus collects from the engine.
LOOK = 15
COLLECT = 2

MINUTE = 60

# Exit codes of `promtool check metrics`: no complaint, and complaints about readable metrics.
PROMTOOL_OK = 0
PROMTOOL_LINT = 3

HOSTS = 4

# Seconds from now.
IN_TWO_HOURS = 2 * 3600
IN_TWO_DAYS = 2 * 24 * 3600

TURNED_AWAY = 3

# Requests that wait in the database, each with a connection, and others, which use one for some milliseconds.
WAITING = 3
PASSING = 2

# All publications but the webhooks have a broker that does not exist.
UNHEARD = 4

# Tolerances of answers, as shares: numbers are written with limited digits, averages of the time ahead with fewer;
# and Prometheus extrapolates growth over the missing seconds of a window.
EXACT = 1e-6
AVERAGED = 1e-4
GUESSED = 0.05

LOCKED = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"

UNSEALED = "NOT EXISTS (SELECT FROM seal s WHERE s.position = e.position)"
UNFOUND = "NOT EXISTS (SELECT FROM audit_subject a WHERE a.position = e.position)"
# Measuring begins at the first event before which a lease had resources for some time.
MEASURED = "position >= (SELECT min(position) FROM domain_event WHERE event_type = 'LeaseStarting')"


class Prometheus:
    """Prometheus with the product's own configuration, except for the address and the interval."""

    def __init__(self, folder, port, target):
        self.home = os.path.join(folder, COLLECTOR)
        self.port = port
        self.unpack(COLLECTOR)
        # Debian 13 has promtool in a separate package.
        if not os.path.exists(self.program("promtool")):
            self.unpack("promtool")
        for name in ("prometheus.yaml", "alerts.yaml"):
            with open(os.path.join(FOLDER, name), encoding="utf-8") as shipped:
                text = shipped.read().replace("127.0.0.1:1234", target).replace("15s", "%ds" % COLLECT)
            self.write(name, text)
        self.write("leasehold.password", COLLECTOR)
        self.process = None

    def unpack(self, package):
        subprocess.run([os.path.join(ROOT, "infra", "proof", "harness", "unpack"), package, self.home], check=True)

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, name):
        return os.path.join(self.home, "usr", "bin", name)

    def start(self):
        with open(os.path.join(self.home, "log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self.program("prometheus"), "--config.file=prometheus.yaml", "--storage.tsdb.path=data",
                 "--web.listen-address=127.0.0.1:%d" % self.port],
                cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        await_that(self.is_ready, "Prometheus is ready")

    def is_ready(self):
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/-/ready" % self.port, timeout=10):
                return True
        except OSError:
            return False

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()

    def ask(self, path, **parameters):
        url = "http://127.0.0.1:%d/api/v1/%s?%s" % (self.port, path, urllib.parse.urlencode(parameters))
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]

    def values(self, query, when):
        """Returns the values of a query at a time, by labels without those of the collected target."""
        found = {}
        for each in self.ask("query", query=query, time=when)["result"]:
            labels = {name: value for name, value in each["metric"].items() if name not in ("__name__", "job", "instance")}
            found[tuple(sorted(labels.values()))] = float(each["value"][1])
        return found


class Counted(Engine):
    """An engine that counts its answers by status."""

    def __init__(self, *what, **others):
        super().__init__(*what, **others)
        self.answers = Counter()

    def call(self, *what, **others):
        status, text = super().call(*what, **others)
        self.answers[str(status)] += 1
        return status, text


def targets(board):
    return [(panel["title"], target["expr"]) for panel in board["panels"] for target in panel["targets"]]


def query(expression):
    """Returns the query as Grafana sends it, for the time of the whole scenario."""
    return expression.replace("$__rate_interval", "%ds" % RANGE).replace("$__range", "%ds" % RANGE)


def check_files(trial, prometheus, boards):
    for command in (["check", "config", "prometheus.yaml"], ["check", "rules", "alerts.yaml"]):
        done = subprocess.run([prometheus.program("promtool"), *command], cwd=prometheus.home, capture_output=True,
                              text=True, check=False)
        trial.count(done.returncode == 0, "promtool %s %s" % tuple(command[:2]), done.stderr)
    done = subprocess.run([prometheus.program("promtool"), "test", "rules", "alerts-test.yaml"], cwd=FOLDER,
                          capture_output=True, text=True, check=False)
    trial.count(done.returncode == 0, "each alert speaks up when it should, and not before", done.stdout + done.stderr)
    texts = {}
    for name in ("alerts.yaml", "alerts-test.yaml", "runbook.md"):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            texts[name] = file.read()
    alerts = re.findall(r"- alert: (\w+)", texts["alerts.yaml"])
    tested = re.findall(r"alertname: (\w+)\n\s+exp_alerts:\n", texts["alerts-test.yaml"])
    untested = [alert for alert in alerts if alert not in tested]
    trial.count(alerts and not untested, "each alert has a test in which it speaks up", untested)
    helpless = [alert for alert in alerts if "### %s\n" % alert not in texts["runbook.md"]
                or "runbook: runbook.md#%s\n" % alert.lower() not in texts["alerts.yaml"]]
    trial.count(not helpless, "and a section in the runbook, to which it leads", helpless)
    for name, board in boards.items():
        panels = board["panels"]
        trial.count(len({panel["id"] for panel in panels}) == len(panels)
                    and all(panel["description"] and panel["fieldConfig"]["defaults"]["unit"] for panel in panels)
                    and not overlapping([panel["gridPos"] for panel in panels]),
                    "the panels of %s explain themselves, and lie beside each other" % name)


def check_metrics(trial, engine, prometheus):
    """Checks names, types, units and help of our metrics with Prometheus' linter, which rejects libraries' ones."""
    _, text = engine.call("admin", "GET", "/actuator/prometheus", headers={"Accept": "text/plain"})
    done = subprocess.run([prometheus.program("promtool"), "check", "metrics"], input=text, capture_output=True, text=True,
                          check=False)
    complaints = done.stdout + done.stderr
    trial.count("leasehold_" in text and done.returncode in (PROMTOOL_OK, PROMTOOL_LINT) and "leasehold_" not in complaints,
                "promtool check metrics", complaints)


def overlapping(places):
    return [(one, other) for one in places for other in places if one is not other
            and one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
            and one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"]]


def ask(engine, user, method, path, wanted, body=None):
    status, text = engine.call(user, method, path, body)
    if status != wanted:
        raise AssertionError("%s %s: %d %s" % (method, path, status, text))
    return text


def live(engine, prometheus, trial, postgres):
    """
    Runs the scenario: four granted leases, one of them of all hosts and in two hours, and a refused one; a server, a
    forced end, an action that fails repeatedly, denied requests, and an invalid one. Its first event is of yesterday.
    From some time on no event can be sealed, and another node has the audit trail, and does not process it.

    Returns the time of its end, and the counted numbers.
    """
    for number in range(1, HOSTS + 1):
        ask(engine, "admin", "POST", "/v1/os-hosts", 201, {"name": "compute-%d" % number})
    midnight = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    engine.sql("UPDATE domain_event SET recorded_at = recorded_at - interval '1 day' WHERE position = 1")
    await_that(lambda: prometheus.values("up", time.time()) == {(): 1.0}
               and prometheus.values("count_over_time(up[1m]) > 1", time.time()), "it collects")
    time.sleep(2 * QUIET)
    began = time.time() - QUIET
    engine.answers.clear()
    # The counter begins with the first such answer: growth shows from the second one on.
    ask(engine, "demo", "GET", "/api/capacity", 403)
    await_that(lambda: prometheus.values('http_server_requests_seconds_count{status="403"}', time.time()), "it is collected")
    for _ in range(TURNED_AWAY):
        ask(engine, "demo", "GET", "/api/capacity", 403)
    used_from = time.time()
    made = []
    for name, hosts in (("one", 1), ("two", 2)):
        wish = leases.lease(name, start=0)
        wish["reservations"][0]["parameters"].update(min=hosts, max=hosts)
        made.append(leases.create(engine, wish))
    for lease in made:
        leases.await_status(trial, engine, lease, "active", "a lease is active")
    engine.sql("ALTER TABLE seal ADD CHECK (false) NOT VALID")
    used = json.loads(engine.call("demo", "GET", "/api/leases/" + made[1])[1])["reservations"][0]["allocations"][0]["name"]
    engine.sql("INSERT INTO simulated_cloud.server (name, project, host) VALUES ('web', 'demo', '%s')" % used)
    ask(engine, "other", "GET", "/api/leases/%s" % made[0], 404)
    ask(engine, "demo", "POST", "/api/leases", 400, leases.lease("late", start=-60))
    crowd = leases.lease("crowd", start=IN_TWO_DAYS)
    crowd["reservations"][0]["parameters"].update(min=HOSTS + 1, max=HOSTS + 1)
    ask(engine, "demo", "POST", "/api/leases", 409, crowd)
    await_that(lambda: count(engine, UNFOUND) == 0, "the refusal is found")
    other = Hold(postgres)
    trial.afterwards.callback(other.release)
    other.take("SELECT FROM projection WHERE name = 'audit' FOR UPDATE")
    everything = leases.lease("everything", start=IN_TWO_HOURS)
    everything["reservations"][0]["parameters"].update(min=HOSTS, max=HOSTS)
    leases.create(engine, everything)
    engine.sql("INSERT INTO simulated_cloud.behaviour (operations, fault, probability) VALUES ('start.*', 'UNAVAILABLE', 1)")
    leases.create(engine, leases.lease("stuck", start=0))
    await_that(lambda: engine.sql("SELECT count(*) AS n FROM plugin_task WHERE attempts > 0")[0]["n"] == 1,
               "an action fails")
    ask(engine, "admin", "POST", "/api/operations/leases/%s/force-end" % made[0], 204)
    await_that(lambda: engine.sql("SELECT count(*) AS n FROM seal_head")[0]["n"] == 1, "yesterday is signed", RANGE)
    ended = time.time() + LOOK + QUIET + COLLECT
    trial.check(ended < began + RANGE, "all of it happened within %d s" % RANGE, ended - began)
    time.sleep(began + RANGE - QUIET - COLLECT - time.time())
    answers = dict(engine.answers)
    when = began + RANGE
    with waiting(engine, other):
        time.sleep(when - time.time())
        return when, {
            "answers": answers,
            "scarce": int(datetime.datetime.fromisoformat(everything["start"]).timestamp()) - when,
            "signed": midnight.timestamp(),
            "events": count(engine, "true"),
            "measured": count(engine, MEASURED),
            "unsealed": count(engine, UNSEALED),
            "unfound": count(engine, UNFOUND),
            "minutes": tuple(int(each // MINUTE) - int(used_from // MINUTE) for each in (when - QUIET, when)),
        }


def count(engine, condition):
    return engine.sql("SELECT count(*) AS n FROM domain_event e WHERE " + condition)[0]["n"]


@contextlib.contextmanager
def waiting(engine, other):
    """Locks a table in another session while requests wait for it."""
    other.take("LOCK origin_erasure")
    asking = [threading.Thread(target=engine.call, args=("admin", "GET", "/api/audit/erasures")) for _ in range(WAITING)]
    for each in asking:
        each.start()
    await_that(lambda: engine.sql(LOCKED)[0]["n"] == WAITING, "they wait")
    yield
    other.release()
    for each in asking:
        each.join()


def bucketed(engine, stage, share):
    """Returns the quantile of the engine's own counts, interpolated linearly within its bucket."""
    _, text = engine.call("admin", "GET", "/actuator/prometheus", headers={"Accept": "text/plain"})
    found = re.findall(r'leasehold_lateness_seconds_bucket\{stage="%s",le="([^"]+)"\} (\S+)' % stage, text)
    buckets = sorted((float(edge), float(count)) for edge, count in found)
    rank = share * buckets[-1][1]
    below, before = 0.0, 0.0
    for edge, count in buckets:
        if count >= rank:
            return below + (edge - below) * (rank - before) / (count - before)
        below, before = edge, count
    raise AssertionError("no bucket")


def about(value, share):
    """Returns the least and the most value within the tolerance."""
    return value * (1 - share), value * (1 + share)


def growth(value):
    return about(value, GUESSED)


def compare(trial, engine, prometheus, boards, when, counted):
    """Compares the answer to every query of every panel with the expected number for each of its labels."""
    found = {"audit": counted["unfound"], "seals": counted["unsealed"]}
    read_models = dict.fromkeys(("bookings", "capacity", "entries", "inventory", "processes"), 0)
    minutely = 60 / RANGE
    hosts = "physical:host"
    # Two leases of three hosts are active. The cloud has refused one host; on one of the others a server runs.
    reserved, active = 3, 2
    refused = about(HOSTS + 1, AVERAGED)
    # For a status that had no answers before, growth shows from the second answer on.
    answers = {status: growth(TURNED_AWAY / RANGE) if status == "403" else (0, growth(number / RANGE)[1])
               for status, number in counted["answers"].items()}
    expected = {
        "Nodes": [{(): 1}],
        "Refused": [{(): 1 / 6}],
        "Actions that fail": [{(): 1}],
        # One more: the seals.
        "Cannot go on": [{(): UNHEARD + 1}],
        "Lateness of decisions": [{(): bucketed(engine, "decided", share)} for share in (0.5, 0.99)],
        "Lateness of resources": [{(): bucketed(engine, "ready", share)} for share in (0.5, 0.99)],
        "Leases asked for": [{("accepted",): growth(4 * minutely), ("refused",): growth(minutely),
                              ("rejected",): growth(minutely)}],
        # A retry may run at this moment.
        "Actions of plugins": [{("acting",): (0, 1), ("failing",): 1, ("waiting",): 0}],
        "Read models behind": [{(name,): lag for name, lag in {**read_models, **found}.items()}],
        "Publications behind": [{("kafka-events",): counted["events"], ("kafka-leases",): counted["events"],
                                 ("kafka-usage",): counted["measured"], ("kafka-usage-readings",): counted["minutes"],
                                 ("webhooks",): 0}],
        "Answers": [{(status,): rate for status, rate in answers.items()}],
        "Connections to the database": [{(): (WAITING, WAITING + PASSING)}, {(): 0}],
        "Signed until": [{(): 1000 * counted["signed"]}],
        "Not sealed yet": [{(): counted["unsealed"]}],
        "Turned away": [{(): growth(TURNED_AWAY)}],
        # Prometheus does not see the first of these.
        "Turned away, by answer": [{("403",): growth(TURNED_AWAY * minutely), ("404",): 0}],
        # These counters begin at zero: growth shows from the first one on.
        "Denied attempts, by why": [{("role",): growth((1 + TURNED_AWAY) * minutely), ("another_project",): growth(minutely),
                                     ("StartInPast",): growth(minutely)}],
        "Sealing and the audit trail behind": [{(name,): lag for name, lag in found.items()}],
        "First shortage in": [{(hosts,): counted["scarce"]}],
        "Reserved": [{(hosts,): reserved / HOSTS}],
        "Not given": [{(hosts,): 1 - active / reserved}],
        "Idle": [{(hosts,): 1}],
        "Virtual processors in use": [{(hosts,): 2}],
        "Refused demand": [{(hosts,): refused}],
        "Now": [{(hosts,): amount} for amount in (HOSTS, HOSTS, reserved, active)],
        "Most reserved ahead": [{(within, hosts): HOSTS for within in ("1d", "7d", "30d")}],
        "Least left ahead": [{(within, hosts): 0 for within in ("1d", "7d", "30d")}],
        "Refused ahead": [{("1d", hosts): 0, ("7d", hosts): refused, ("30d", hosts): refused}],
        "Forced ends and retries of leases": [{("ForceEnd",): growth(minutely), ("RetryLease",): 0}],
    }
    behind = [counted[of] for of in ("unfound", "unsealed", "measured", "events")]
    trial.count(0 < behind[0] and sorted(set(behind)) == behind and counted["minutes"][0] > 0,
                "no two of them are as far behind", counted)
    left = {title: list(values) for title, values in expected.items()}
    for name, board in boards.items():
        for title, expression in targets(board):
            said = prometheus.values(query(expression), when)
            # Empty, if the scenario has not counted it.
            wanted = left[title].pop(0) if left.get(title) else {}
            trial.count(agree(said, wanted), "%s, %s" % (name, title), {"said": said, "wanted": wanted})
    trial.count(not any(left.values()), "and what was counted is shown", left)


def agree(said, wanted):
    """Returns true if the answer has exactly the wanted labels, each with its wanted value."""
    return bool(wanted) and said.keys() == wanted.keys() and all(lies(said[labels], value) for labels, value in wanted.items())


def lies(value, wanted):
    """Returns true if the value is near the wanted number, or between the two wanted numbers."""
    least, most = wanted if isinstance(wanted, tuple) else about(wanted, EXACT)
    return least <= value <= most


def signing_key(folder):
    file = os.path.join(folder, "audit-key.pem")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file], check=True)
    return file


def main():
    given = arguments(12700)
    boards = {}
    for file in sorted(glob.glob(os.path.join(FOLDER, "dashboards", "*.json"))):
        with open(file, encoding="utf-8") as board:
            boards[os.path.splitext(os.path.basename(file))[0]] = json.load(board)
    with Trial("monitoring") as trial:
        postgres = trial.postgres(given.port).create()
        engine = trial.engine("engine", given.port + 1, 4, postgres, given.classpath_file, make=Counted)
        for setting, value in (("name", COLLECTOR), ("password", "{noop}" + COLLECTOR), ("user-id", COLLECTOR),
                               ("project-id", "operations"), ("project-name", "operations"), ("roles", "planner")):
            engine.settings["leasehold.gateway.users[3].%s" % setting] = value
        engine.settings["leasehold.saga.sampling"] = "1s"
        engine.settings["leasehold.audit.signing-key"] = signing_key(engine.folder)
        # No process listens there.
        engine.settings["leasehold.kafka.bootstrap-servers"] = "127.0.0.1:%d" % (given.port + 3)
        engine.settings["leasehold.kafka.usage-interval"] = "1m"
        prometheus = Prometheus(trial.folder, given.port + 2, "127.0.0.1:%d" % engine.port)
        trial.afterwards.callback(prometheus.stop)
        check_files(trial, prometheus, boards)
        engine.start()
        prometheus.start()
        check_metrics(trial, engine, prometheus)
        compare(trial, engine, prometheus, boards, *live(engine, prometheus, trial, postgres))
        engine.kill()
        await_that(lambda: [alert["labels"]["alertname"] for alert in prometheus.ask("alerts")["alerts"]
                            if alert["labels"]["alertname"] == "LeaseholdNodeDown"], "a node that dies is missed")
        trial.count(True, "a node that dies is missed")


if __name__ == "__main__":
    main()
