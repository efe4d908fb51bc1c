"""Leases that are checked before and after an interruption of their engine."""

import datetime
import time

from harness.leases import await_status, create, lease, named, stamp, status
from harness.waiting import await_that

HOSTS = 9
FAULTY = 9

FAILED_ATTEMPTS = "SELECT count(*) AS n FROM plugin_task WHERE attempts > 0"


class Lives:
    """Leases in all states, some of which change while the engine is down."""

    def __init__(self, trial, engine):
        self.trial = trial
        self.running = create(engine, lease("running", start=1, which=named(1)))
        self.later = create(engine, lease("later", start=7200, which=named(4)))
        engine.sql("INSERT INTO simulated_cloud.behaviour (operations, host, fault, probability)"
                   " VALUES ('start.*', 'compute-%d', 'UNAVAILABLE', 1)" % FAULTY)
        self.failing = create(engine, lease("failing", start=1, which=named(FAULTY)))
        await_status(trial, engine, self.running, "active", "before the backup a lease is active")
        await_that(lambda: engine.sql(FAILED_ATTEMPTS)[0]["n"] == 1, "an action has failed")
        # These depend on the time of the interruption. On a slow machine, the steps above take long.
        self.ending = create(engine, lease("ending", start=1, length=15, which=named(2)))
        self.announced = create(engine, self._announced_in(30))
        await_status(trial, engine, self.ending, "active", "and one that is to end soon")
        await_status(trial, engine, self.announced, "active", "and one whose end is to be announced")
        trial.check(not self._announcements(engine), "and no end has been announced")
        self.starting = create(engine, lease("starting", start=19, which=named(3)))
        self.missed = create(engine, lease("missed", start=16, length=3, which=named(5)))
        self.due = time.time() + 21

    @staticmethod
    def _announced_in(seconds):
        before_end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        return {**lease("announced", start=1, which=named(8)), "before_end": stamp(before_end)}

    def _announcements(self, engine):
        return engine.sql("SELECT event_type FROM domain_event WHERE stream_id = '%s'"
                          " AND event_type = 'LeaseEndAnnounced'" % self.announced)

    def go_on(self, engine):
        """Checks that all overdue steps have happened once, and that reservations are still reserved."""
        await_status(self.trial, engine, self.ending, "ended", "what was to end meanwhile ends")
        await_status(self.trial, engine, self.starting, "active", "what was to start meanwhile starts")
        await_status(self.trial, engine, self.missed, "ended", "what was over meanwhile ends")
        started = engine.sql("SELECT event_type FROM domain_event WHERE stream_id = '%s'"
                             " AND event_type = 'LeaseStarting'" % self.missed)
        self.trial.check(not started, "and has never been started", started)
        self.trial.check(status(engine, self.running) == "active", "what was active is active")
        self.trial.check(status(engine, self.later) == "inactive", "what has yet to start has yet to start")
        self.trial.check(status(engine, self.failing) == "to_be_started", "what failed has not started",
                         status(engine, self.failing))
        engine.sql("DELETE FROM simulated_cloud.behaviour")
        await_status(self.trial, engine, self.failing, "active", "and starts when the cloud works again")
        await_that(lambda: self._announcements(engine), "an end is announced")
        answer, text = engine.call("demo", "POST", "/api/leases",
                                   lease("second", start=7200, which=named(4)))
        self.trial.check(answer == 409, "no host is promised twice", text)
        twice = engine.sql("SELECT reservation, operation, host FROM simulated_cloud.effect"
                           " WHERE reservation IS NOT NULL GROUP BY 1, 2, 3 HAVING count(*) > 1")
        self.trial.check(not twice, "no action took effect twice", twice)
        self.trial.check(len(self._announcements(engine)) == 1, "the end is announced once", self._announcements(engine))
        create(engine, lease("new", start=1, length=600, which=named(6)))
