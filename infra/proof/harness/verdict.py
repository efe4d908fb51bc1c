"""Invariants that hold when the engine is idle. Reads the events and the simulated cloud."""

LEASES = """
    SELECT e.stream_id AS id, e.payload->>'name' AS name,
           count(*) FILTER (WHERE o.event_type = 'LeaseStarting') AS startings,
           count(*) FILTER (WHERE o.event_type = 'LeaseActivated') AS activated,
           count(*) FILTER (WHERE o.event_type = 'LeaseEnded') AS ended,
           count(*) FILTER (WHERE o.event_type = 'LeaseDeleted') AS deleted,
           count(*) FILTER (WHERE o.event_type = 'ReservationActivated') AS given,
           count(*) FILTER (WHERE o.event_type = 'ReservationReleased') AS released,
           count(*) FILTER (WHERE o.event_type = 'ReservationFailed') AS failures,
           count(*) FILTER (WHERE o.event_type = 'ReservationAdded') AS added,
           (SELECT status FROM lease WHERE lease_id::text = e.stream_id) AS status
    FROM domain_event e JOIN domain_event o USING (stream_id)
    WHERE e.event_type = 'LeaseRequested' GROUP BY e.stream_id, e.payload"""

TWICE = """
    SELECT reservation, operation, host, count(*) AS times FROM simulated_cloud.effect
    WHERE reservation IS NOT NULL GROUP BY reservation, operation, host HAVING count(*) > 1"""

# Each operation that gives a resource must have its opposite, which takes it back.
ONE_SIDED = """
    SELECT reservation, host, array_agg(operation ORDER BY id) AS operations FROM simulated_cloud.effect
    WHERE reservation IS NOT NULL GROUP BY reservation, host
    HAVING array_agg(operation ORDER BY id) NOT IN (
        ARRAY['create_aggregate', 'delete_aggregate'],
        ARRAY['add_host', 'leave_freepool', 'enter_freepool', 'remove_host'],
        ARRAY['add_host', 'remove_host'])"""

NEVER_GIVEN = """
    SELECT a.payload->>'reservationId' AS reservation FROM domain_event a
    WHERE a.event_type = 'ReservationActivated' AND NOT EXISTS (
        SELECT FROM simulated_cloud.effect e
        WHERE e.reservation::text = a.payload->>'reservationId' AND e.operation = 'leave_freepool')"""

# Between joining a reservation's aggregate and leaving it, a host belongs to no other reservation.
SHARED = """
    SELECT host, reservation, operation FROM (
        SELECT host, reservation, operation, lag(operation) OVER w AS before, lag(reservation) OVER w AS other
        FROM simulated_cloud.effect WHERE operation IN ('add_host', 'remove_host')
        WINDOW w AS (PARTITION BY host ORDER BY id)) step
    WHERE operation = coalesce(before, 'remove_host') OR (operation = 'remove_host' AND other <> reservation)"""

STRAY = "SELECT name FROM simulated_cloud.aggregate WHERE name <> 'freepool'"

OVERLAPPING = """
    SELECT a.resource_id, a.during FROM claim a JOIN claim b ON a.resource_id = b.resource_id
    AND a.during && b.during AND a.reservation_id <> b.reservation_id"""

# The table of leases is written together with the events.
UNKNOWN = """
    SELECT e.stream_id FROM domain_event e WHERE e.event_type = 'LeaseRequested'
    AND NOT EXISTS (SELECT FROM lease l WHERE l.lease_id::text = e.stream_id)
    AND NOT EXISTS (SELECT FROM domain_event d WHERE d.stream_id = e.stream_id AND d.event_type = 'LeaseDeleted')"""

# Numbers of a project's events: a consumer finds a loss by arithmetic.
UNNUMBERED = """
    SELECT project_id, count(*) AS entries, max(number) AS last FROM event_entry
    GROUP BY project_id HAVING count(*) <> max(number) OR min(number) <> 1"""

# Positions may have gaps, where a transaction was rolled back; entries have none.
NO_ENTRY = """
    SELECT position FROM domain_event e WHERE position <= (SELECT position FROM projection WHERE name = 'entries')
    AND NOT EXISTS (SELECT FROM event_entry n WHERE n.position = e.position AND n.event_id = e.event_id)"""

CLAIMED = "SELECT * FROM claim WHERE upper(during) > now()"

# The change that each query must detect; it is made in a transaction that is rolled back.
TAMPERINGS = {
    TWICE: """INSERT INTO simulated_cloud.effect (operation, reservation, host)
              SELECT operation, reservation, host FROM simulated_cloud.effect
              WHERE operation = 'create_aggregate' LIMIT 1""",
    ONE_SIDED: """DELETE FROM simulated_cloud.effect WHERE id =
                  (SELECT min(id) FROM simulated_cloud.effect WHERE operation = 'enter_freepool')""",
    NEVER_GIVEN: "DELETE FROM simulated_cloud.effect WHERE operation = 'leave_freepool'",
    SHARED: """INSERT INTO simulated_cloud.effect (operation, reservation, host)
               SELECT 'add_host', gen_random_uuid(), host
               FROM (SELECT host FROM simulated_cloud.effect WHERE operation = 'add_host' LIMIT 1) h,
                    generate_series(1, 2)""",
    STRAY: "INSERT INTO simulated_cloud.aggregate (name) VALUES (gen_random_uuid()::text)",
    OVERLAPPING: """ALTER TABLE claim DROP CONSTRAINT claim_is_exclusive, DROP CONSTRAINT claim_is_unique;
                    UPDATE claim SET resource_id = (SELECT min(resource_id) FROM claim),
                        during = '[2000-01-01, 2100-01-01)'""",
    UNKNOWN: "DELETE FROM lease",
    UNNUMBERED: "DELETE FROM event_entry WHERE position = (SELECT min(position) FROM event_entry)",
    NO_ENTRY: "DELETE FROM event_entry WHERE position = (SELECT max(position) FROM event_entry)",
    CLAIMED: """UPDATE claim SET during = tstzrange(lower(during), 'infinity')
                WHERE ctid = (SELECT ctid FROM claim ORDER BY upper(during) DESC LIMIT 1)""",
}


class Verdict:
    def __init__(self, trial, engine, hosts, share=0.5):
        self.check = trial.count
        self.engine = engine
        self.hosts = hosts
        self.share = share

    def none(self, statement, what):
        found = self.engine.sql(statement)
        self.check(not found, what, found[:5])

    def so_far(self):
        """Checks what must be true at any time; prints nothing as long as it is."""
        for question in TWICE, SHARED, OVERLAPPING, UNKNOWN, UNNUMBERED, NO_ENTRY:
            found = self.engine.sql(question)
            if found:
                self.check(False, "at any time: " + " ".join(question.split()), found)

    def give(self, clients):
        self.leases(clients)
        self.actions()
        self.cloud()
        self.calendar()
        self.work()
        self.bites()

    def bites(self):
        """Checks that each query detects its violation; a query that never finds a row proves nothing."""
        blind = [question for question, tampering in TAMPERINGS.items()
                 if not self.engine.rows_after(tampering, question)]
        self.check(not blind, "each question notices what it asks for", blind)

    def leases(self, clients):
        self.check(not clients.unexpected, "every request was granted, refused or repeated", clients.unexpected)
        self.check(clients.asked == set(clients.names), "every lease was granted", len(clients.asked))
        leases = self.engine.sql(LEASES)
        names = sorted(lease["name"] for lease in leases)
        self.check(names == sorted(clients.asked), "a request that was repeated made one lease", len(names))
        away = [lease for lease in leases if lease["ended"] != 1]
        self.check(not away, "every lease has ended, once", away[:5])
        away = [lease for lease in leases
                if (lease["status"] is None) != (lease["deleted"] == 1) or lease["status"] not in (None, "ENDED")]
        self.check(not away, "every lease shows its end state", away[:5])
        away = [lease for lease in leases if (lease["name"] in clients.deleted) != (lease["deleted"] == 1)]
        self.check(not away, "leases are deleted if and only if a request deleted them", away[:5])
        # The lease is active once more when a reservation has joined it.
        away = [lease for lease in leases
                if lease["activated"] > 1 + lease["added"] or lease["given"] > 1 + lease["added"]
                or lease["released"] != 1 + lease["added"]]
        self.check(not away, "no outcome is reported twice", away[:5])
        started = sum(lease["activated"] for lease in leases)
        self.check(started > len(leases) * self.share,
                   "as many leases as can be expected were active: %d of %d" % (started, len(leases)), started)
        away = [lease for lease in leases if lease["failures"]]
        self.check(not away, "no action was given up", away[:5])

    def actions(self):
        self.none(TWICE, "each action took effect once")
        self.none(ONE_SIDED, "what was given was taken back, in order")
        self.none(NEVER_GIVEN, "an active lease has its resources")
        self.none(SHARED, "no host was in two leases' hands")

    def cloud(self):
        self.none(STRAY, "the cloud holds no aggregate that no lease owns")
        self.none("SELECT * FROM simulated_cloud.aggregate_host WHERE aggregate <> 'freepool'",
                  "no host is in anybody's hands")
        free = self.engine.sql("SELECT count(*) AS hosts FROM simulated_cloud.aggregate_host")[0]["hosts"]
        self.check(free == self.hosts, "every host is back in the pool", free)

    def calendar(self):
        self.none(CLAIMED, "nobody claims any time to come")
        self.none("SELECT * FROM holder", "nobody holds a resource")
        self.none(OVERLAPPING, "no two claims on a host overlap")

    def work(self):
        self.none("SELECT task_instance, execution_time FROM timer", "no timer is left")
        self.none("SELECT task_instance, action, last_fault FROM plugin_task", "no action is left")
        behind = self.engine.sql(
            "SELECT processor_name, segment, convert_from(token, 'UTF8')::json->>'globalIndex' AS position"
            " FROM token_entry WHERE token IS NULL")
        self.check(not behind, "every process has a position", behind)
        self.none("SELECT name FROM projection WHERE position < (SELECT max(position) FROM domain_event)",
                  "every projection has followed")
        self.none(NO_ENTRY, "every event has its entry")
        self.none(UNNUMBERED, "the events of each project are numbered without a gap")
