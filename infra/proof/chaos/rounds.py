"""Kills engine and database while leases start and end; afterwards every effect must have happened exactly once."""

import collections
import random
import time

from harness.clients import Clients
from harness.steps import enrol, make_slow, settle
from harness.verdict import Verdict

HOSTS = 100
LEASES_A_ROUND = 3

LONGEST_WAIT_FOR_AN_ACTION = 20
# After a long outage, consumers of events wait up to a minute before they retry.
LONGEST_RECOVERY = 240

# This many kills hit actions in several phases. Fewer may hit only one; the failpoints cover each phase.
MANY_ROUNDS = 20

# Seconds without the database, once in each run of the number of rounds below or more.
LONG_OUTAGE = 60
ROUNDS_WITH_LONG_OUTAGE = 10

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
    """Returns the progress of an action in the cloud at the time when its process died."""
    action = task["action"]
    if action == "START":
        done = "done, not reported" if task["complete"] else "half done" if task["given"] else "not begun"
    elif action == "END":
        done = "done, not reported" if task["over"] else "half done" if task["taken"] else "not begun"
    else:
        done = "under way"
    return "%s %s" % (action, done)


class Rounds:
    first_host = 1

    def __init__(self, trial, engine, database, rounds, seed):
        self.engine = engine
        self.database = database
        self.rounds = rounds
        self.chance = random.Random(seed)
        # Windows are longer than a start of the engine takes on a slow machine.
        self.clients = Clients(engine, rounds * LEASES_A_ROUND, seed, length=(40, 80))
        self.phases = collections.Counter()
        self.victims = collections.Counter()
        self.recoveries = []
        self.verdict = Verdict(trial, engine, HOSTS)

    def run(self):
        self.engine.start()
        enrol(self.engine, self.first_host, HOSTS)
        make_slow(self.engine)
        self.clients.start()
        for number in range(self.rounds):
            self.clients.want(LEASES_A_ROUND)
            victim = self._victim(number)
            self.victims[victim] += 1
            getattr(self, "_" + victim.replace(" ", "_"))()
            self.verdict.so_far()
            self._tell(number, victim)
        if not self.engine.is_running():
            self.engine.start()
        self.clients.finish(600)
        settle(self.engine)
        self._conclude()

    def _victim(self, number):
        if self.rounds >= ROUNDS_WITH_LONG_OUTAGE and number == self.rounds // 2:
            return "long outage"
        # Each of them in turn, so that the shortest run has each.
        return ("engine", "database", "engine", "both", "engine", "engine while it starts", "engine", "database")[
            number % 8]

    def _engine(self):
        """Kills the engine during an action; the remaining database shows if the kill counts."""
        self._await_action()
        self._kill_engine()

    def _engine_while_it_starts(self):
        if self.engine.is_running():
            self._kill_engine()
        self.engine.launch()
        time.sleep(self.chance.uniform(0.5, 6))
        self._kill_engine()

    def _database(self, away=None):
        """Kills the database; the engine keeps running, and recovers by itself."""
        self._await_action()
        self.database.stop("immediate")
        time.sleep(self.chance.uniform(0, 4) if away is None else away)
        self.database.start()
        self.recoveries.append(self._recovery())

    def _long_outage(self):
        self._database(LONG_OUTAGE)

    def _both(self):
        self._await_action()
        pid = self.engine.process.pid
        self.engine.kill()
        self.database.stop("immediate")
        self.database.start()
        self._count(pid)

    def _await_action(self):
        if not self.engine.is_running():
            self.engine.start()
        pid = self.engine.process.pid
        deadline = time.time() + LONGEST_WAIT_FOR_AN_ACTION
        time.sleep(self.chance.uniform(0, 3))
        while time.time() < deadline and not self.engine.sql(IN_FLIGHT % pid):
            time.sleep(self.chance.uniform(0.05, 0.5))
        # An action that was just seen to begin is not always hit at its beginning.
        time.sleep(self.chance.uniform(0, 0.8))

    def _kill_engine(self):
        pid = self.engine.process.pid
        self.engine.kill()
        time.sleep(0.2)
        self._count(pid)

    def _count(self, pid):
        self.phases.update(phase(task) for task in self.engine.sql(IN_FLIGHT % pid))

    def _recovery(self):
        """Returns the seconds until a lease that a user requests now has its host, or None if it never gets one."""
        began = time.time()
        name = self._probe(began + LONGEST_RECOVERY)
        while time.time() < began + LONGEST_RECOVERY:
            if self.engine.sql("SELECT FROM lease WHERE view->>'name' = '%s' AND status = 'ACTIVE'" % name):
                return time.time() - began
            time.sleep(0.1)
        return None

    def _probe(self, deadline):
        """Creates a lease that starts now; creates the next one if the engine answers late, and refuses it."""
        attempt = 0
        while time.time() < deadline:
            name = "probe-%d-%d" % (len(self.recoveries), attempt)
            if self.clients.ask_for(name, 0.5 + attempt, LONGEST_RECOVERY + 10):
                return name
            attempt += 1
        return None

    def _tell(self, number, victim):
        leases = self.engine.sql("SELECT status, count(*) AS leases FROM lease GROUP BY status ORDER BY status")
        print("  round %d: %s; leases: %s" % (number + 1, victim, ", ".join(
            "%d %s" % (row["leases"], row["status"]) for row in leases)), flush=True)

    def _conclude(self):
        print("rounds: " + ", ".join("%d %s" % (count, victim) for victim, count in self.victims.items()))
        print("actions that were hit:")
        for name, count in sorted(self.phases.items()):
            print("  %4d  %s" % (count, name))
        print("%d requests were repeated for want of an answer" % self.clients.repeated)
        recovered = sorted(seconds for seconds in self.recoveries if seconds is not None)
        if recovered:
            print("a lease asked for when the database was back had its host after %.1f s, at worst %.1f s" % (
                recovered[len(recovered) // 2], recovered[-1]))
        if self.rounds >= MANY_ROUNDS:
            self.verdict.check(len(self.phases) >= 4, "the kills met actions in different phases", sorted(self.phases))
        self.verdict.check(len(recovered) == len(self.recoveries),
                           "the engine recovered from each outage without a restart", self.recoveries)
        self.verdict.give(self.clients)
