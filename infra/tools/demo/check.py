"""Generates a history in a fresh folder, starts an engine there, and checks tables, totals, reports and new leases."""

import csv
import datetime
import io
import json
import os
import re
import subprocess
import time
from collections import Counter
from decimal import ROUND_HALF_EVEN, Decimal

from harness.engine import ROOT, Engine, java_25
from harness.leases import await_status, create, lease
from harness.trial import Trial, arguments

HOSTS = 200
DAYS = 18  # A twentieth of a year, the same each time.
UNTIL = "2026-11-16T00:00:00Z"
PLANS = os.path.join(ROOT, "infra", "docs", "rating", "example-plans.json")
WINDOW = "from=2026-10-28T00:00:00Z&to=" + UNTIL
SINCE = "2026-10-29T00:00:00Z"
LATELY = "2026-11-12T00:00:00Z"
HOST = "physical:host"
ADDRESS = "virtual:floatingip"  # Lost time of addresses is not credited.
CENT = Decimal("0.01")
MICROSECOND = datetime.timedelta(microseconds=1)

POOL = "SELECT count(*) AS hosts FROM simulated_cloud.aggregate_host WHERE aggregate = 'freepool'"
ENROLLED = "SELECT count(*) AS hosts FROM resource WHERE kind = 'physical:host' AND state <> 'RETIRED'"
# The part of a change that the lease has already was not refused.
REFUSED = """
SELECT sum(wanted * greatest(0, extract(epoch FROM refused.ends - refused.starts)) - coalesce(kept, 0)) / 3600 AS hours
FROM (
    SELECT position, short ->> 'reservation' AS reservation, (short ->> 'wanted')::int AS wanted,
        greatest((payload #>> '{period,start}')::timestamptz, decided_at, '%(since)s') AS starts,
        least((payload #>> '{period,end}')::timestamptz, '%(until)s') AS ends
    FROM domain_event CROSS JOIN jsonb_array_elements(payload -> 'shortages') short
        JOIN jsonb_array_elements(payload -> 'reservations') wish ON wish ->> 'id' = short ->> 'reservation'
    WHERE event_type IN ('LeaseRefused', 'LeaseChangeRefused')
        AND wish #>> '{parameters,resource_properties}' = '["==", "$gpu", "V100"]') refused
    CROSS JOIN LATERAL (
        SELECT sum(slots * greatest(0, extract(epoch FROM least(b.ends, refused.ends) - greatest(b.starts, refused.starts)))) AS kept
        FROM booking b
        WHERE b.reservation_id = refused.reservation::uuid AND what = 'PROMISED'
            AND known_from < position AND (known_to IS NULL OR known_to >= position)) kept"""
# The event type of each outcome, by the words of the demo.
OUTCOMES = {"leases": "LeaseRequested", "more were refused": "LeaseRefused", "changes": "LeaseChangeRefused",
            "starts failed": "ReservationFailed", "hosts were replaced": "ResourceReplaced"}
LONGEST_LIFE = """
SELECT lease, array_agg(position ORDER BY position DESC) AS events
FROM domain_event CROSS JOIN LATERAL (SELECT CASE stream_type WHEN 'Use' THEN payload ->> 'leaseId' ELSE stream_id END AS lease) its
WHERE stream_type IN ('Lease', 'Use') GROUP BY lease ORDER BY count(*) DESC, lease LIMIT 1"""
PROMISED = """
SELECT count(*) FROM domain_event CROSS JOIN jsonb_array_elements(payload -> 'reservations') wish
WHERE event_type = 'LeaseRequested' AND wish ->> 'kind' = 'physical:host'"""
# The first start enrols the resources that are missing.
STIRRED = "SELECT DISTINCT event_type FROM domain_event WHERE position > %d AND event_type <> 'ResourceEnrolled'"


def demo(*options):
    return subprocess.run([os.path.join(ROOT, "infra", "tools", "demo", "run"), *options], capture_output=True, text=True,
                          check=False, timeout=900)


def verify(trial, engine, what):
    command = engine.command("verify", "--leasehold.database.folder=" + engine.folder)
    done = subprocess.run(command, cwd=engine.folder, capture_output=True, text=True, check=False)
    trial.check(done.returncode == 0 and re.search(r"\b0 differences", done.stdout), what, done.stdout[-2000:] + done.stderr[-2000:])


def number(engine, question):
    return next(iter(engine.sql(question)[0].values()))


def await_number(trial, engine, question, wanted, what):
    deadline = time.time() + 180
    while number(engine, question) != wanted:
        if time.time() > deadline:
            raise AssertionError("%s: %s" % (what, number(engine, question)))
        time.sleep(0.5)
    trial.check(True, what)


def fill(trial, engine):
    done = demo("--folder", engine.folder, "--days", str(DAYS), "--until", UNTIL)
    trial.check(done.returncode == 0, "a folder is filled", done.stdout + done.stderr)
    print(done.stdout, flush=True)
    again = demo("--folder", engine.folder, "--days", "1")
    trial.check("There is a database already" in again.stderr, "nothing is filled twice", again.stderr)
    return done.stdout


def events(output):
    return int(re.search(r"^([\d,]+) events", output, re.MULTILINE).group(1).replace(",", ""))


def ask(engine, path, accept="application/json"):
    status, text = engine.call("admin", "GET", path, headers={"Accept": accept})
    if status != 200:
        raise AssertionError("%s: %s" % (path, text))
    return text


def pages(engine, path, field):
    marker = ""
    while marker is not None:
        text = ask(engine, path + "&limit=1000" + (marker and "&marker=" + marker))
        page = json.loads(text, parse_float=Decimal, parse_int=Decimal)
        yield from page[field]
        marker = page["next"]


def usage(engine, question="", window=WINDOW):
    sums = {what: Counter() for what in ("reserved", "active", "lost", "observed", "idle", "vcpus")}
    for line in pages(engine, "/api/usage?" + window + question, "usage"):
        for what, amounts in sums.items():
            amounts[line["kind"]] += line[what]
    return sums


def calendar(engine):
    """Returns the reserved amount of each kind, in seconds times slots."""
    promised = Counter()
    for line in pages(engine, "/api/calendar?" + WINDOW, "bookings"):
        promised[line["kind"]] += seconds(line["starts"], line["ends"]) * line["slots"]
    return promised


def seconds(starts, ends):
    """Returns the seconds between two times, exact to the microsecond."""
    return Decimal((datetime.datetime.fromisoformat(ends) - datetime.datetime.fromisoformat(starts)) // MICROSECOND) / 1000000


def add_up(trial, engine, output):
    """Checks that the engine's totals equal those that the history printed for each kind of reservations."""
    whole = usage(engine)
    reckoned = Counter()
    for hours, kind in re.findall(r"^([\d,.]+) hours of (\S+) were reserved", output, re.MULTILINE):
        # Instances use hosts.
        reckoned[HOST if kind == "virtual:instance" else kind] += Decimal(hours.replace(",", ""))
    hours = {kind: seconds / 3600 for kind, seconds in whole["reserved"].items()}
    trial.check(hours.keys() == reckoned.keys() and all(abs(hours[kind] - reckoned[kind]) <= Decimal("0.1") for kind in hours),
                "usage is what the history comes to", "%s, %s" % (hours, reckoned))
    trial.check(whole["reserved"] == whole["active"] + whole["lost"] and whole["lost"][HOST] > 0,
                "what is reserved is active or lost", whole)
    trial.check(calendar(engine) == whole["reserved"], "usage is what the calendar has, to the microsecond", whole)
    hosts = {what: amounts[HOST] for what, amounts in whole.items()}
    trial.check(0 < hosts["idle"] < hosts["observed"] <= hosts["active"] and hosts["vcpus"] > 0,
                "some of what was given was seen to run nothing", hosts)
    for by in ("lease", "project", "resource", "zone"):
        told_apart = usage(engine, "&by=" + by)
        trial.check(told_apart == whole, "usage by %s adds up" % by, "%s, %s" % (told_apart, whole))
    by_gpu = usage(engine, "&by=gpu&kind=" + HOST)
    trial.check(all(by_gpu[what][HOST] == whole[what][HOST] for what in whole), "usage by a property adds up", by_gpu)


def priced(line):
    """Returns the amount of a line of charges: price times quantity times hours."""
    once = "quantity" not in line
    hours = 1 if once else line["quantity"] * seconds(line["start"], line["end"]) / 3600
    return (Decimal(line["price"]) * hours).quantize(CENT, ROUND_HALF_EVEN)


def charge(trial, engine):
    """Checks that charges follow from prices and usage, and are the same in every format."""
    leases = list(pages(engine, "/api/charges?" + WINDOW, "leases"))
    lines = [line for lease in leases for line in lease["lines"]]
    wrong = [line for line in lines if Decimal(line["amount"]) != priced(line)]
    trial.check(lines and not wrong, "each line of charges is its price times its time", wrong[:3])
    sums = {lease["lease"]: sum(Decimal(line["amount"]) for line in lease["lines"]) for lease in leases}
    totals = {lease["lease"]: sum(Decimal(total["amount"]) for total in lease["totals"]) for lease in leases}
    trial.check(sums == totals and sum(sums.values()) > 0, "leases cost what their lines do", "%s, %s" % (sums, totals))
    charged = {"active": Counter(), "lost": Counter()}
    for line in lines:
        if line["what"] == "usage":
            charged[line["time"]][line["resource_kind"]] += line["quantity"] * seconds(line["start"], line["end"])
    used = usage(engine)
    trial.check(all(charged[time] == used[time] for time in charged), "what is charged is usage, to the microsecond",
                "%s, %s" % (charged, used))
    lost = sum(Decimal(line["amount"]) for line in lines if line.get("time") == "lost" and line["what"] in ("usage", "premium")
               and line["kind"] != ADDRESS)
    credit = sum(Decimal(line["amount"]) for line in lines if line["what"] == "credit")
    trial.check(credit == -lost < 0, "what was lost of it is given back", "%s, %s" % (credit, lost))
    fees = sum(line["what"] == "reservation_fee" for line in lines)
    trial.check(fees == number(engine, PROMISED), "a fee is paid for each promise of hosts", fees)
    rows = list(csv.DictReader(io.StringIO(ask(engine, "/api/charges/focus?" + WINDOW, "text/csv"), newline="")))
    billed = Counter()
    for row in rows:
        billed[row["x_LeaseId"]] += Decimal(row["BilledCost"])
    trial.check(len(rows) == len(lines) and billed == sums, "and the table of FOCUS comes to the same, lease by lease",
                "%d rows, %d lines, %s, %s" % (len(rows), len(lines), sum(billed.values()), sum(sums.values())))


def audit(trial, engine, folder, output):
    """Checks that the audit search finds every event, and that the export can be verified by itself."""
    longest = engine.sql(LONGEST_LIFE)[0]
    found = [event["position"] for event in pages(engine, "/api/audit/events?lease=" + longest["lease"], "events")]
    trial.check(found == longest["events"], "a lease's events, and what it was seen to use, are found by it, newest first",
                "%s, %s" % (found, longest))
    rows = list(csv.DictReader(io.StringIO(ask(engine, "/api/audit/events?to=" + UNTIL, "text/csv"), newline="")))
    trial.check([int(row["position"]) for row in rows] == list(range(events(output), 0, -1)),
                "all that the demo made is found as a table", "%d rows" % len(rows))
    types = Counter(row["type"] for row in rows)
    said = {words: int(amount.replace(",", "")) for amount, words in re.findall(r"([\d,]+) (%s)" % "|".join(OUTCOMES), output)}
    trial.check(said == {words: types[name] for words, name in OUTCOMES.items()}, "as many of each type as the generator reported",
                "%s, %s" % (said, types))
    demos = [event["position"] for event in pages(engine, "/api/audit/events?project=demo&to=" + UNTIL, "events")]
    trial.check(demos == [int(row["position"]) for row in rows if row["project_id"] == "demo"], "and those of a project by it",
                len(demos))
    await_number(trial, engine, "SELECT least(1, count(*)) FROM seal_head", 1, "a day is signed")
    export, key = (os.path.join(folder, name) for name in ("export.ndjson", "public.pem"))
    with open(export, "w", encoding="utf-8") as file:
        file.write(ask(engine, "/api/audit/export"))
    subprocess.run(["openssl", "pkey", "-in", os.path.join(engine.folder, "audit-key.pem"), "-pubout", "-out", key], check=True)
    done = subprocess.run([java_25(), "-jar", os.path.join(ROOT, "infra", "tools", "audit-verifier", "target", "audit-verifier.jar"),
                           "--key=" + key, export], capture_output=True, text=True, check=False)
    signed = re.search(r": (\d+) events of \d+ streams match their seals", done.stdout)
    trial.check(done.returncode == 0 and signed and int(signed.group(1)) >= events(output)
                and "withheld" not in done.stdout, "all of it is as it was signed", done.stdout + done.stderr)


def forecast(trial, engine):
    """Checks that so few weeks yield no forecast, and that the answer states how many weeks are known."""
    for weeks in (1, 4):
        path = "/api/capacity/forecast?kind=%s&weeks=%d&as_of=%s" % (HOST, weeks, UNTIL)
        found = json.loads(ask(engine, path))
        trial.check(found == {"kind": HOST, "from": UNTIL, "offered": False, "history_weeks": DAYS // 7, "hours": []},
                    "%d weeks ahead are not forecast" % weeks, found)


def capacity(engine, question="", since=SINCE):
    """Returns hours of hosts, by value."""
    text = ask(engine, "/api/capacity?kind=%s&from=%s&to=%s&bucket=P1D%s" % (HOST, since, UNTIL, question))
    series = {}
    for line in json.loads(text, parse_float=Decimal)["series"]:
        amounts = series[line.get("value")] = Counter()
        for bucket in line["buckets"]:
            for what in ("enrolled", "reservable", "reserved", "active", "idle", "refused"):
                amounts[what] += 24 * Decimal(bucket[what])
    return series


def what_if(engine, **changed):
    world = {"from": SINCE, "to": UNTIL, **changed}
    answer, text = engine.call("admin", "POST", "/api/what-if", world, timeout=180)
    if answer != 200:
        raise AssertionError("%s: %s" % (world, text))
    return json.loads(text, parse_float=Decimal)


def refused(figures):
    return next(kind["refused"] for kind in figures["kinds"] if kind["kind"] == HOST)


def compare_hours(trial, amounts, comparison, what):
    recorded = next(kind for kind in comparison["recorded"]["kinds"] if kind["kind"] == HOST)
    trial.check(all(abs(amounts[each] - recorded[each]) < Decimal("0.1") for each in ("enrolled", "reservable", "reserved", "refused")),
                what, "%s, %s" % (amounts, recorded))


def live_once_more(trial, engine, output):
    """Replays the history: an unchanged world reproduces it; a changed world does not."""
    began = time.time()
    same = what_if(engine)
    print("%d events were replayed in %.1f s" % (same["events"], time.time() - began), flush=True)
    trial.check(same["events"] == events(output), "all events are replayed", same["events"])
    trial.check(same["not_reproduced"]["count"] == 0 and same["changed"] == same["recorded"],
                "in an unchanged world all comes out as it did", same["not_reproduced"])
    trial.check(refused(same["recorded"]) > 0, "hours of hosts were refused", same["recorded"])
    amounts = capacity(engine)[None]
    compare_hours(trial, amounts, same, "the past is as capacity reports it")
    late = what_if(engine, **{"from": LATELY})
    trial.check(late["events"] < same["events"] and late["not_reproduced"]["count"] == 0 and late["changed"] == late["recorded"],
                "so it does from the middle on, without what was over by then", "%s, %s" % (late["events"], late["not_reproduced"]))
    compare_hours(trial, capacity(engine, since=LATELY)[None], late, "the recent past is as capacity reports it")
    idle = usage(engine, window="from=%s&to=%s" % (SINCE, UNTIL))["idle"][HOST] / 3600
    trial.check(idle > 0 and abs(amounts["idle"] - idle) < Decimal("0.1"), "what ran nothing is the same in usage and capacity",
                "%s, %s" % (amounts, idle))
    by_gpu = {value: its["refused"] for value, its in capacity(engine, "&by=gpu").items()}
    trial.check(abs(sum(by_gpu.values()) - amounts["refused"]) < Decimal("0.1"), "what was refused by a property adds up", by_gpu)
    history = number(engine, REFUSED % {"since": SINCE, "until": UNTIL})
    trial.check(history > 0 and abs(by_gpu["V100"] - Decimal(history)) < Decimal("0.1"),
                "what was refused of a property is what the history comes to", "%s, %s" % (by_gpu, history))
    host = number(engine, "SELECT min(resource_id) AS host FROM resource WHERE kind = 'physical:host' AND state <> 'RETIRED'")
    # At the beginning of the window no host exists that they could be like.
    more = what_if(engine, more=[{"kind": HOST, "count": 10, "like": host, "from": "2026-10-29T06:00:00Z"}])
    trial.check(refused(more["changed"]) < refused(more["recorded"]) == refused(same["recorded"]),
                "with ten more hosts fewer hours are refused", "%s, %s" % (more["changed"]["kinds"], more["recorded"]["kinds"]))
    busier = what_if(engine, demand_percent=120)
    trial.check(busier["changed"]["requests"]["all"] > busier["recorded"]["requests"]["all"]
                and refused(busier["changed"]) > refused(busier["recorded"]), "with a fifth more demand more are", busier["changed"])


def live_on(trial, engine):
    made = create(engine, lease("after", start=1, which='["==", "$hypervisor_hostname", "compute-7"]'))
    await_status(trial, engine, made, "active", "a lease becomes active")
    answer, text = engine.call("demo", "POST", "/api/leases/%s/end" % made, {})
    trial.check(answer in (200, 202), "it is ended", text)
    await_status(trial, engine, made, "ended", "it has ended")


def look_ahead(trial, engine):
    hour = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:00:00Z")
    options = ("--engine", engine.url, "--clouds", os.path.join(engine.folder, "clouds.yaml"), "--until", hour)
    first = demo(*options)
    trial.check(first.returncode == 0 and re.match(r"[1-9]\d* leases", first.stdout),
                "leases of the next days are made", first.stdout + first.stderr)
    second = demo(*options)
    trial.check(second.stdout.startswith("0 leases"), "a second time there are none to be made",
                second.stdout + second.stderr)


def main():
    given = arguments(13290)
    with Trial("demo") as trial:
        engine: Engine = trial.engine("data", given.port, HOSTS, None, given.classpath_file)
        engine.settings["leasehold.rating.plans"] = PLANS
        output = fill(trial, engine)
        engine.start()
        await_number(trial, engine, POOL, number(engine, ENROLLED), "all hosts are in the cloud's pool")
        verify(trial, engine, "nothing differs from the events")
        # Leases that have ended receive the outages of hosts once more.
        await_number(trial, engine, "SELECT count(*) FROM timer", 0, "no timer is left of the past")
        stirred = engine.sql(STIRRED % events(output))
        trial.check(not stirred, "nothing of the past stirs", stirred)
        add_up(trial, engine, output)
        charge(trial, engine)
        forecast(trial, engine)
        live_once_more(trial, engine, output)
        audit(trial, engine, trial.folder, output)
        live_on(trial, engine)
        look_ahead(trial, engine)
        verify(trial, engine, "nothing differs from the events afterwards")


if __name__ == "__main__":
    main()
