"""Common steps of trials: settings of the simulated cloud, enrolment, and waiting until the engine is idle."""

import time

# A step of an action takes this long, so that a random moment is likely to be in the middle of one.
LATENCIES = {"start": 100, "start.*": 250, "end": 100, "end.*": 250}

# The share of actions that take effect, but seem to have failed: a retry must find the effects of the first attempt.
LOST_ANSWERS = {"start.*": 0.02, "end.*": 0.02}

LONGEST_SETTLING = 420

BEHIND = """
    SELECT count(*) AS processes
    FROM (SELECT (convert_from(token, 'UTF8')::json->>'globalIndex')::bigint AS position FROM token_entry
          UNION ALL SELECT position FROM projection) follower
    WHERE position < (SELECT max(position) FROM domain_event)"""


def enrol(engine, first, last):
    """Enrols hosts; the embedded default has enrolled some of its hosts itself."""
    for number in range(first, last + 1):
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


def settle(engine):
    """Waits until no lease has open work, and every saga has processed all events."""
    deadline = time.time() + LONGEST_SETTLING
    while True:
        left = engine.sql("SELECT status, count(*) AS leases FROM lease WHERE status <> 'ENDED' GROUP BY status")
        tasks = engine.sql("SELECT count(*) AS tasks FROM plugin_task")[0]["tasks"]
        # Another node continues the reading of a dead node seconds later.
        behind = engine.sql(BEHIND)[0]["processes"]
        if not left and not tasks and not behind:
            return
        if time.time() > deadline:
            print("  not settled: %s, %d tasks, %d processes behind" % (left, tasks, behind), flush=True)
            return
        time.sleep(1)
