"""Checks a node that only answers queries, on a replica of the database that another node writes."""

import time

from harness.leases import create, lease
from harness.steps import enrol
from harness.trial import Trial, arguments

HOSTS = 20
LEASES = 100


def position(node):
    """Returns the last position in this node's database."""
    return node.sql("SELECT max(position) AS last FROM domain_event")[0]["last"]


def follow(primary, reader, trial):
    """Checks that answers to queries with a minimum position include it; other queries may miss new leases."""
    stale, waits = 0, []
    for number in range(LEASES):
        made = create(primary, lease("follow-%d" % number, start=3600 * (number + 1), length=1800))
        stale += reader.call("demo", "GET", "/api/leases/" + made)[0] == 404
        made = create(primary, lease("follow-%d-too" % number, start=3600 * (number + 1) + 1800, length=1800))
        at_least = str(position(primary))
        began = time.time()
        status, text = reader.call("demo", "GET", "/api/leases/" + made, None, {"Leasehold-Position": at_least})
        waits.append(time.time() - began)
        if status != 200:
            raise AssertionError("%d %s" % (status, text))
    waits.sort()
    print("  %d of %d answers without a position were too old; with one they took %.0f ms (median), %.0f ms (p99)"
          % (stale, LEASES, 1000 * waits[len(waits) // 2], 1000 * waits[len(waits) * 99 // 100]), flush=True)
    trial.check(True, "%d answers with a position were all fresh" % LEASES)


def run(trial, port, classpath_file):
    database, replica = trial.postgres(port), trial.postgres(port + 1)
    primary = trial.engine("primary", port + 3, HOSTS, database.create(), classpath_file)
    primary.start()
    enrol(primary, 1, HOSTS)
    reader = trial.engine("reader", port + 4, HOSTS, replica.become_replica_of(database), classpath_file,
                          {"leasehold.node.roles": "query", "leasehold.node.name": "reader"})
    reader.start()
    check = trial.check
    check(True, "a node that only answers questions starts on a replica")
    follow(primary, reader, trial)
    for path in ("/v1/leases", "/api/leases?limit=100", "/api/resources", "/v1/os-hosts",
                 "/api/availability?kind=physical:host&duration=PT1H"):
        status, text = reader.call("admin", "GET", path)
        check(status == 200, "it answers " + path, "%d %s" % (status, text[:300]))
    status, text = reader.call("demo", "POST", "/api/leases", lease("elsewhere"))
    check(status == 503 and "role command" in text, "it says that it changes nothing", text)
    began = time.time()
    status, text = reader.call("demo", "GET", "/api/leases", None,
                               {"Leasehold-Position": str(position(primary) + 1)})
    check(status == 503 and "behind" in text, "it says so when it is behind: after %.1f s" % (time.time() - began), text)
    database.stop("immediate")
    status, text = reader.call("demo", "GET", "/api/leases?limit=5")
    check(status == 200, "it answers while the primary is away", text)
    database.start()
    deadline = time.time() + 180
    while True:
        try:
            made = create(primary, lease("again", start=900 * 3600))
            break
        except (AssertionError, OSError):
            if time.time() > deadline:
                raise
            time.sleep(0.5)
    status, text = reader.call("demo", "GET", "/api/leases/" + made, None,
                               {"Leasehold-Position": str(position(primary))})
    while status == 503 and time.time() < deadline:
        status, text = reader.call("demo", "GET", "/api/leases/" + made, None,
                                   {"Leasehold-Position": str(position(primary))})
    check(status == 200, "it follows again when the primary is back", text)


def main():
    given = arguments(13220)
    with Trial("replica") as trial:
        run(trial, given.port, given.classpath_file)


if __name__ == "__main__":
    main()
