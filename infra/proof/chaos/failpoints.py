"""Ends the engine after each of its durable effects, at least once at every failpoint of the share."""

import collections
import os
import random
import time

from chaos.visitor import Visitor
from harness import share
from harness.steps import enrol, settle
from harness.verdict import Verdict

HOSTS = 12
MOST_LEASES = 2000
LEASES_A_POINT = 3
KILLED = 137
LONGEST_WAY_TO_A_POINT = 60
LONGEST_WAY_TO_A_RARE_ONE = 10
LONGEST_START = 240
LONGEST_SURVEY = 120
TRIES = 3

# In the check of a commit, the engine ends at every sixth failpoint.
SHARES = 6

# Effects that only a new database has, in this order.
ONCE = ("insert flyway_schema_history", "insert host", "insert token_entry")

# Failpoints that a complete list contains, among others.
KNOWN = {
    *ONCE, "event ResourceEnrolled", "event LeaseRequested", "event LeaseRefused", "event LeaseStarting",
    "event ReservationActivated", "event LeaseEnding", "event ReservationReleased", "event LeaseDeleted",
    # An exchange of reservations: its first event gives the point its name.
    "event ReservationAdded",
    "insert timer", "take timer", "delete timer", "insert plugin_task", "take plugin_task", "delete plugin_task",
    "cloud enrol", "cloud retire", "cloud create_aggregate", "cloud add_host", "cloud leave_freepool",
    "cloud enter_freepool", "cloud remove_host", "cloud delete_aggregate", "insert saga_entry",
    "update token_entry", "insert denied_attempt", "insert plugin_call", "insert event_entry",
    "insert booking", "insert seal", "insert audit_subject", "insert request_origin", "event UseObserved",
    "insert observed_use",
}

# Failpoints that are passed again only by chance: by contention, or an end at the right moment. One attempt.
RARE = {
    "put back timer", "put back plugin_task", "hold timer", "hold plugin_task", "insert idempotency",
    "update idempotency", "delete idempotency", "insert kept_answer", "delete claim", "update claim",
    "event ResourceReplaced", "event LeaseDelayed", "event LeaseChangeRefused", "update lease", "update saga_entry",
}


def in_share(points):
    return {point for point in points if point in ONCE or share.has_name(point, SHARES)}


class Failpoints:
    def __init__(self, trial, engine, seed):
        self.engine = engine
        self.chance = random.Random(seed)
        self.clients = Visitor(engine, MOST_LEASES, seed, HOSTS)
        self.missed = collections.Counter()
        # The engine is down for most of the time, and a window is short.
        self.verdict = Verdict(trial, engine, HOSTS, share=0.2)

    def run(self):
        for point in ONCE:
            self._die_at([point])
        self.engine.survey()
        self.engine.await_ready()
        enrol(self.engine, 1, HOSTS)
        self.clients.start()
        self.clients.want(LEASES_A_POINT)
        deadline = time.time() + LONGEST_SURVEY
        while not self.clients.has_seen_everything() or (KNOWN - self._log()[0] and time.time() < deadline):
            time.sleep(0.2)
        self.engine.stop()
        while left := self._left():
            self.clients.want(LEASES_A_POINT)
            # Half of them, so that the next is not always the first one; but only one attempt for rare ones.
            some = left if RARE.issuperset(left) else self.chance.sample(left, (len(left) + 1) // 2)
            self._die_at(some)
            self.verdict.so_far()
        self.engine.start()
        self.clients.finish(600)
        settle(self.engine)
        self._conclude()

    def _left(self):
        passed, killed = self._log()
        return [point for point in sorted(in_share(passed) - killed)
                if self.missed[point] < (1 if point in RARE else TRIES)]

    def _die_at(self, points):
        """Ends the engine at the first of these points that it passes."""
        before = self._log()[1]
        self.engine.launch_until(points)
        began = time.time()
        ready = None
        way = LONGEST_WAY_TO_A_RARE_ONE if RARE.issuperset(points) else LONGEST_WAY_TO_A_POINT
        while self.engine.is_running() and time.time() < (ready or began + LONGEST_START) + way:
            if ready is None and self.engine.is_ready():
                ready = time.time()
            time.sleep(0.1)
        if self.engine.is_running():
            self.engine.kill()
        hit = self._log()[1] - before
        if not hit:
            self.missed.update(points)
        print("  %s after %.1f s%s" % (
            "killed: " + ", ".join(hit) if hit else "missed: " + ", ".join(points), time.time() - began,
            "" if ready is None else ", %.1f s of work" % (time.time() - ready)), flush=True)
        if self.engine.process.returncode not in (KILLED, -9):
            raise AssertionError("the engine ended by itself")

    def _log(self):
        """Returns the points that any process passed, and those at which one ended."""
        seen = {"passed": set(), "killed": set()}
        if not os.path.exists(self.engine.failpoint_log):
            return seen["passed"], seen["killed"]
        with open(self.engine.failpoint_log, encoding="utf-8") as lines:
            for line in lines:
                what, point = line.rstrip("\n").split(" ", 1)
                seen[what].add(point)
        return seen["passed"], seen["killed"]

    def _conclude(self):
        passed, killed = self._log()
        print("died at %d of %d points; seldom and not again: %s" % (
            len(killed), len(passed), ", ".join(sorted(RARE & passed - killed)) or "none"))
        left = in_share(passed | KNOWN) - killed - RARE
        self.verdict.check(not left, "the engine died at each point of the share", sorted(left))
        self.verdict.check(not KNOWN - passed, "and passed each that is known", sorted(KNOWN - passed))
        self.verdict.give(self.clients)
