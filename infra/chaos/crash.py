"""Leases start and end while the engine is killed; afterwards everything must have happened once."""

import argparse
import collections
import datetime
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

from engine import Engine
from verdict import Verdict

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HOSTS = 100
FIRST_ENROLLED = 4

# A step of an action takes this long, so that a random moment is likely to be in the middle of one.
LATENCIES = {"start": 100, "start.*": 250, "end": 100, "end.*": 250}

# Every action takes effect, then seems to have failed, this often: a retry must find its own traces.
LOST_ANSWERS = {"start.*": 0.02, "end.*": 0.02}

LONGEST_WAIT_FOR_A_KILL = 60
LONGEST_SETTLING = 420


class Clients:
    """Users who ask for leases all the time, and again when they get no answer."""

    def __init__(self, engine, count, seed):
        self.engine = engine
        self.random = random.Random(seed)
        self.names = ["lease-%d" % number for number in range(count)]
        self.asked = set()
        self.deleted = set()
        self.repeated = 0
        self.unexpected = []
        self.threads = [threading.Thread(target=self._work, args=(part,), daemon=True) for part in range(4)]
        self.wanted = threading.Semaphore(0)
        self.next = 0
        self.lock = threading.Lock()

    def start(self):
        for thread in self.threads:
            thread.start()

    def want(self, leases):
        """So many more leases are wanted from now on; none after a kill that did not count."""
        for _ in range(leases):
            self.wanted.release()

    def join(self, seconds):
        self.wanted.release(len(self.threads))
        deadline = time.time() + seconds
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.time()))
            if thread.is_alive():
                raise AssertionError("clients still wait for an answer")

    def _work(self, part):
        try:
            while True:
                self.wanted.acquire()
                with self.lock:
                    number = self.next
                    self.next += 1
                    pause = self.random.uniform(0, 1)
                if number >= len(self.names):
                    return
                time.sleep(pause)
                self._ask(self.names[number])
        except Exception as failure:  # Reported at the end; a thread must not end in silence.
            self.unexpected.append("client %d: %r" % (part, failure))

    def _ask(self, name):
        """Until it is granted: with another window after a refusal, with the same key after silence."""
        attempt = 0
        while True:
            attempt += 1
            with self.lock:
                wait, length, deletes = (self.random.uniform(2, 15), self.random.uniform(20, 45),
                                         self.random.random() < 0.1)
                hosts = self.random.choice((1, 1, 2))
            start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=wait)
            body = {"name": name, "start": stamp(start),
                    "end": stamp(start + datetime.timedelta(seconds=length)),
                    "reservations": [{"kind": "physical:host",
                                      "parameters": {"min": hosts, "max": hosts,
                                                     "hypervisor_properties": "", "resource_properties": ""}}]}
            status, text = self._insist("POST", "/api/leases", body, "%s-%d" % (name, attempt))
            if status == 201:
                break
            if status not in (400, 409, 422):
                self.unexpected.append("%d for %s: %s" % (status, name, text))
                return
            # Refused, or its start is over by now.
            time.sleep(0.5)
        self.asked.add(name)
        if deletes:
            lease = text.split('"id":"', 1)[1].split('"', 1)[0]
            time.sleep(wait)
            status, text = self._insist("DELETE", "/api/leases/" + lease, None, None)
            if status not in (202, 204, 404):
                self.unexpected.append("%d for the deletion of %s: %s" % (status, name, text))
            self.deleted.add(name)

    def _insist(self, method, path, body, key):
        """Asks again until there is an answer; a repeated request bears the same key."""
        while True:
            try:
                status, text = self.engine.call("demo", method, path, body, {"Idempotency-Key": key} if key else None)
                if status != 503:
                    return status, text
            except OSError:
                pass
            self.repeated += 1
            time.sleep(0.3)


def stamp(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def enrol_hosts(engine):
    for number in range(FIRST_ENROLLED + 1, HOSTS + 1):
        status, text = engine.call("admin", "POST", "/v1/os-hosts", {"name": "compute-%d" % number})
        if status != 201:
            raise AssertionError(text)


def make_slow(engine):
    for operation, latency in LATENCIES.items():
        engine.sql("INSERT INTO simulated_cloud.behaviour (operations, latency_ms) VALUES ('%s', %d)"
                   % (operation, latency))
    for operation, probability in LOST_ANSWERS.items():
        engine.sql("INSERT INTO simulated_cloud.behaviour (operations, fault, probability)"
                   " VALUES ('%s', 'TIME_OUT_AFTER', %f)" % (operation, probability))


IN_FLIGHT = """
    SELECT t.action,
           (SELECT count(*) FROM simulated_cloud.effect e WHERE e.reservation = t.reservation_id
            AND e.operation IN ('create_aggregate', 'add_host', 'leave_freepool')) AS given,
           (SELECT count(*) FROM simulated_cloud.effect e WHERE e.reservation = t.reservation_id
            AND e.operation IN ('enter_freepool', 'remove_host', 'delete_aggregate')) AS taken,
           EXISTS (SELECT FROM simulated_cloud.effect e WHERE e.reservation = t.reservation_id
                   AND e.operation = 'delete_aggregate') AS over,
           (SELECT count(*) FROM simulated_cloud.effect e WHERE e.reservation = t.reservation_id
            AND e.operation = 'leave_freepool')
               >= coalesce((SELECT count(*) FROM claim c WHERE c.reservation_id = t.reservation_id), 1) AS complete
    FROM plugin_task t WHERE t.picked AND t.picked_by LIKE '%d@%%'"""


def phase(task):
    """How far an action had come in the cloud when its process died."""
    action = task["action"]
    if action == "START":
        done = "done, not reported" if task["complete"] else "half done" if task["given"] else "not begun"
    elif action == "END":
        done = "done, not reported" if task["over"] else "half done" if task["taken"] else "not begun"
    else:
        done = "under way"
    return "%s %s" % (action, done)


def kill_in_flight(engine, chance, phases):
    """Kills at a random moment; looks afterwards, in the database that is left, whether it counts."""
    deadline = time.time() + LONGEST_WAIT_FOR_A_KILL
    time.sleep(chance.uniform(1, 14))
    pid = engine.process.pid
    while time.time() < deadline and not engine.sql(IN_FLIGHT % pid):
        time.sleep(chance.uniform(0.05, 0.5))
    # An action that was just seen to begin is not always killed at its beginning.
    time.sleep(chance.uniform(0, 0.8))
    engine.kill()
    time.sleep(0.2)
    hit = collections.Counter(phase(task) for task in engine.sql(IN_FLIGHT % pid))
    leases = engine.sql("SELECT status, count(*) AS leases FROM lease GROUP BY status ORDER BY status")
    print("  killed with %s in flight; leases: %s" % (
        dict(hit) or "nothing", ", ".join("%d %s" % (row["leases"], row["status"]) for row in leases)), flush=True)
    phases.update(hit)
    return bool(hit)


def settle(engine):
    """Waits until no lease has anything left to do."""
    deadline = time.time() + LONGEST_SETTLING
    while True:
        left = engine.sql("SELECT status, count(*) AS leases FROM lease WHERE status <> 'ENDED' GROUP BY status")
        tasks = engine.sql("SELECT count(*) AS tasks FROM plugin_task")[0]["tasks"]
        if not left and not tasks:
            return
        if time.time() > deadline:
            print("  not settled: %s, %d tasks" % (left, tasks), flush=True)
            return
        time.sleep(1)


def run(engine, arguments):
    chance = random.Random(arguments.seed)
    engine.start()
    enrol_hosts(engine)
    make_slow(engine)
    clients = Clients(engine, arguments.leases, arguments.seed)
    clients.start()
    phases = collections.Counter()
    counted = wasted = wanted = 0
    while counted < arguments.kills and wasted < arguments.kills:
        # The more were wanted, the more kills there were: leases never run out before the kills do.
        due = arguments.leases * (counted + 1) // arguments.kills
        clients.want(due - wanted)
        wanted = due
        hit = kill_in_flight(engine, chance, phases)
        counted += hit
        wasted += not hit
        engine.start()
    clients.join(600)
    settle(engine)
    print("phases hit by %d kills (%d more met no action):" % (counted, wasted))
    for name, count in sorted(phases.items()):
        print("  %4d  %s" % (count, name))
    print("%d requests were repeated because the engine was away" % clients.repeated)
    verdict = Verdict(engine, HOSTS)
    verdict.check(counted >= arguments.kills, "%d kills met actions in flight" % arguments.kills, wasted)
    verdict.check(len(phases) >= min(4, arguments.kills // 2), "the kills met different phases", sorted(phases))
    verdict.give(clients)
    return verdict


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--leases", type=int, default=500)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--port", type=int, default=12398)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--classpath-file")
    arguments = parser.parse_args()
    # So that what was started is stopped.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    began = time.time()
    folder = tempfile.mkdtemp(prefix="leasehold-crash-")
    print("seed %d, folder %s" % (arguments.seed, folder), flush=True)
    engine = Engine(ROOT, folder, arguments.port, HOSTS, arguments.classpath_file)
    try:
        verdict = run(engine, arguments)
    except BaseException:
        print(engine.tail(), file=sys.stderr)
        raise
    finally:
        engine.stop()
    print("%d passed, %d failed in %d s" % (verdict.passed, verdict.failed, time.time() - began))
    if verdict.failed:
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
