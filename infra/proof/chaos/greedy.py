"""Checks one member's leases beside greedy clients: each create succeeds, each lease starts, the engine stays alive."""

import datetime
import math
import multiprocessing
import statistics
import time
import urllib.request

from chaos.greed import USERS, Greed
from harness.leases import create, wish
from harness.steps import enrol
from harness.verdict import Verdict

HOSTS = 100

# Claims ahead of the calendar, and seconds of greed, at 100 percent.
CLAIMS = 100_000
SECONDS = 60

# The least number of leases of others. A slow machine takes longer; the trial fails if the seconds are over first.
LEASES = 20
LONGEST_SECONDS = 300
SOLD_OUT_FROM_DAY = 10

# After each of them, leases that start in a time with free hosts: more durations, for their percentiles.
LATER_LEASES = 4
LATER_FROM_DAY = 200

# Answers that a greedy client may get. 0: the engine closed the connection.
EXPECTED = {
    "slow body": {0, 401, 408, 429, 503},
    "unread answers": {0},
    "large body": {0, 400, 429, 503},
    "many reservations": {400, 429, 503},
    "refusal": {409, 429, 503},
}

STARTED = """
    SELECT extract(epoch FROM a.decided_at - (r.payload->'period'->>'start')::timestamptz) AS late
    FROM domain_event r JOIN domain_event a ON a.stream_id = r.stream_id AND a.event_type = 'LeaseActivated'
    WHERE r.event_type = 'LeaseRequested' AND r.payload->>'name' LIKE 'patient-%'"""


def settings():
    """Returns the settings of the greedy clients' users; the harness has three other users."""
    return {"leasehold.gateway.users[%d].%s" % (index, setting): value
            for index, name in enumerate(USERS, 3)
            for setting, value in (("name", name), ("password", "{noop}" + name), ("user-id", name),
                                   ("project-id", "greedy"), ("project-name", "greedy"), ("roles", "member"))}


def p99(values):
    """Returns the 99th percentile by nearest rank; the largest of fewer than 100 values."""
    return sorted(values)[math.ceil(0.99 * len(values)) - 1]


class Greedy:
    def __init__(self, trial, engine, percent):
        self.trial = trial
        self.engine = engine
        self.percent = percent
        self.durations = []
        self.starting = 0
        self.dead = 0

    def run(self):
        self.engine.start()
        enrol(self.engine, 1, HOSTS)
        sold_out = self._sell_out()
        print("  %d claims ahead" % self.engine.sql("SELECT count(*) AS claims FROM claim")[0]["claims"], flush=True)
        greed = Greed(self.engine.port, self.percent, sold_out)
        seconds = max(20, SECONDS * self.percent // 100)
        fork = multiprocessing.get_context("fork")
        enough, counts = fork.Event(), fork.Queue()
        clients = fork.Process(target=lambda: counts.put(greed.run(enough, LONGEST_SECONDS)), daemon=True)
        clients.start()
        try:
            self._be_patient(seconds)
        finally:
            enough.set()
        self._conclude(counts.get(timeout=120))
        clients.join()

    def _sell_out(self):
        """Books all hosts, hour by hour. Returns requests that find none."""
        first = (datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0)
                 + datetime.timedelta(days=SOLD_OUT_FROM_DAY))
        requests = []
        for hour in range(CLAIMS * self.percent // 100 // HOSTS):
            start = first + datetime.timedelta(hours=hour)
            create(self.engine, wish("sold-out-%d" % hour, start, 3600, HOSTS), "admin")
            requests.append(wish("refused", start, 3600, 1))
        return requests

    def _be_patient(self, seconds):
        """
        Creates leases that start in 10 s, each followed by some that start later, one after the other. Each answer
        other than 201 ends the trial.
        """
        first = time.monotonic()
        while (took := time.monotonic() - first) < seconds or (self.starting < LEASES and took < LONGEST_SECONDS):
            now = datetime.datetime.now(datetime.timezone.utc)
            self._create("patient-%d" % self.starting, now + datetime.timedelta(seconds=10))
            for number in range(LATER_LEASES):
                self._create("later-%d" % self.starting, now + datetime.timedelta(days=LATER_FROM_DAY, hours=number))
            self._probe()
            self.starting += 1
            # Not more leases than hosts: none of them ends during the trial.
            time.sleep(SECONDS / HOSTS)

    def _create(self, name, start):
        began = time.monotonic()
        create(self.engine, wish(name, start, LONGEST_SECONDS, 1))
        self.durations.append(time.monotonic() - began)

    def _probe(self):
        with urllib.request.urlopen(self.engine.url + "/actuator/health/liveness", timeout=30) as answer:
            self.dead += answer.status != 200

    def _conclude(self, counts):
        for (kind, status), count in sorted(counts.items()):
            print("  %6d × %s: %s" % (count, kind, status or "closed"))
        for kind, expected in EXPECTED.items():
            got = {status for each, status in counts if each == kind}
            self.trial.count(got and got <= expected, "%s: each answer names the limit or the error" % kind, got)
        for kind, status in (("refusal", 409), ("many reservations", 400), ("slow body", 408)):
            self.trial.count(counts[kind, status], "%s: the engine read some of them, and answered %d" % (kind, status))
        self.trial.count(not self.dead, "the engine was alive all the time", self.dead)
        self.trial.count(self.starting >= LEASES, "others got leases: %d" % len(self.durations), self.durations)
        started = self._started()
        self.trial.count(len(started) == self.starting, "each one that is due has started", len(started))
        print("  %d creates of others: median %.0f ms, p99 %.0f ms, worst %.0f ms" % (
            len(self.durations), 1000 * statistics.median(self.durations), 1000 * p99(self.durations),
            1000 * max(self.durations)))
        print("  %d starts: median %.1f s late, p99 %.1f s, worst %.1f s" % (
            len(started), statistics.median(started), p99(started), max(started)))
        Verdict(self.trial, self.engine, HOSTS).so_far()

    def _started(self):
        deadline = time.time() + 180
        while len(found := self.engine.sql(STARTED)) < self.starting and time.time() < deadline:
            time.sleep(0.5)
        return [row["late"] for row in found]
