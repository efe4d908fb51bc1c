package org.leasehold.runtime;

import org.leasehold.runtime.DemoProject.Lease;

import java.util.List;

/** A direct change of the database, and the table that it affects. */
record TableDamage(String name, String table, String sql, String violation) {

    /** Returns changes of all tables of leases, each of which a verification must report. */
    static List<TableDamage> of(Lease running, Lease waiting, Lease over) {
        String lease = "lease_id = '" + running.id() + "'";
        String stream = "stream_id = '" + running.id() + "'";
        String ofRunning = "lease " + running.id();
        return List.of(
                new TableDamage(
                        "a lost claim",
                        "claim",
                        "DELETE FROM claim WHERE " + lease,
                        "claim: " + ofRunning + " reservation " + running.reservation()),
                new TableDamage(
                        "a shifted claim",
                        "claim",
                        "UPDATE claim SET during = tstzrange(lower(during) + interval '1 s',"
                                + " upper(during)) WHERE "
                                + lease,
                        "on resource 1 from: expected"),
                new TableDamage(
                        "a claim of nobody",
                        "claim",
                        "INSERT INTO claim SELECT 4, within, during, gen_random_uuid(),"
                                + " gen_random_uuid(), gen_random_uuid(), project_id, cleaning,"
                                + " relies_on FROM claim WHERE "
                                + lease,
                        "on resource 4: expected nothing"),
                new TableDamage(
                        "another holder's generation",
                        "holder",
                        "UPDATE holder SET generation = generation + 1",
                        "holder: "
                                + ofRunning
                                + " reservation "
                                + running.reservation()
                                + " on resource 1 generation: expected"),
                new TableDamage(
                        "a lost timer",
                        "timer",
                        "DELETE FROM timer WHERE task_instance = 'start:" + waiting.id() + "'",
                        "timer: lease " + waiting.id() + " start:" + waiting.id()),
                new TableDamage(
                        "a lost announcement",
                        "timer",
                        "DELETE FROM timer WHERE task_instance LIKE 'announce-end:%'",
                        "announce-end:" + waiting.id()),
                new TableDamage(
                        "a timer of nobody",
                        "timer",
                        "CREATE TEMPORARY TABLE stray AS SELECT * FROM timer WHERE task_instance ="
                                + " 'end:"
                                + waiting.id()
                                + "'; UPDATE stray SET task_instance = 'end:"
                                + over.id()
                                + "'; INSERT INTO timer SELECT * FROM stray",
                        "timer: lease " + over.id() + " end:" + over.id()),
                new TableDamage(
                        "a wait for nobody",
                        "waiting",
                        "INSERT INTO waiting SELECT lease_id, gen_random_uuid() FROM claim WHERE "
                                + lease,
                        "waiting: " + ofRunning + " for reservation "),
                new TableDamage(
                        "a retried request that was granted at once",
                        "retried_request",
                        "INSERT INTO retried_request (lease_id, kinds, starts, ends, since,"
                                + " next_attempt, event_id, request_id, refused_at) SELECT"
                                + " lease_id, '{physical:host}', now(), now(), now(), now(),"
                                + " 'event', 'request', now() FROM claim WHERE "
                                + lease
                                + " LIMIT 1",
                        "retried_request: " + ofRunning + " next attempt "),
                new TableDamage(
                        "a lease with another status",
                        "lease",
                        "UPDATE lease SET status = 'ENDED' WHERE " + lease,
                        "lease: " + ofRunning + " lease status: expected ACTIVE, found ENDED"),
                new TableDamage(
                        "a lease with another name",
                        "lease",
                        "UPDATE lease SET view = jsonb_set(view::jsonb, '{name}', '\"x\"')::json"
                                + " WHERE "
                                + lease,
                        "view.name: expected \"now\", found \"x\""),
                new TableDamage(
                        "a lost lease",
                        "lease",
                        "DELETE FROM lease WHERE " + lease,
                        "lease: " + ofRunning + " lease: expected"),
                new TableDamage(
                        "a lease that is counted twice",
                        "lease_count",
                        "UPDATE lease_count SET unfinished = unfinished + 1",
                        "expected 2 unfinished leases, 0 retried, found 3, 0"),
                new TableDamage(
                        "a property that everybody sees",
                        "resource_property",
                        "UPDATE resource_property SET hidden = NOT hidden WHERE name = 'gpu'",
                        "hidden: expected true, found false"),
                new TableDamage(
                        "a lost booking",
                        "booking",
                        "DELETE FROM booking WHERE " + lease,
                        "booking: " + ofRunning + " reservation "),
                new TableDamage(
                        "a booking of another kind",
                        "booking",
                        "UPDATE booking SET kind = 'virtual:network' WHERE " + lease,
                        " kind: expected physical:host, found virtual:network"),
                new TableDamage(
                        "a lost entry",
                        "event_entry",
                        "DELETE FROM event_entry WHERE sequence = 0 AND " + stream,
                        "event_entry: event "),
                new TableDamage(
                        "an entry with another number",
                        "event_entry",
                        "UPDATE event_entry SET number = number + 1000 WHERE sequence = 0 AND "
                                + stream,
                        "event_entry: event "),
                new TableDamage(
                        "a resource that no event is found by",
                        "event_resource",
                        "DELETE FROM event_resource WHERE resource_id = 1",
                        " resource 1: expected named, found nothing"),
                new TableDamage(
                        "an event that its user is not found by",
                        "audit_subject",
                        "DELETE FROM audit_subject WHERE sort = 'user' AND position IN"
                                + " (SELECT position FROM domain_event WHERE sequence = 0 AND "
                                + stream
                                + ")",
                        ": expected found by it, found nothing"),
                new TableDamage(
                        "a reason that was edited",
                        "domain_event",
                        "UPDATE domain_event SET metadata = metadata || '{\"reason\": \"x\"}'"
                                + " WHERE sequence = 1 AND "
                                + stream,
                        "expected the event that was sealed as "),
                new TableDamage(
                        "a resource's event that was edited",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload || '{\"note\": \"x\"}'"
                                + " WHERE position = 1",
                        "domain_event: position 1: expected the event that was sealed as "),
                new TableDamage(
                        "a lost seal",
                        "seal",
                        "DELETE FROM seal WHERE position = 2",
                        "seal: position 2: expected the seal of the event that is there"),
                new TableDamage(
                        "a stream that stands elsewhere",
                        "sealed_stream",
                        "UPDATE sealed_stream SET sequence = sequence + 1 WHERE " + stream,
                        "sealed_stream: stream " + running.id()),
                new TableDamage(
                        "a gap in a stream",
                        "domain_event",
                        "DELETE FROM domain_event WHERE sequence = 1 AND " + stream,
                        "domain_event: stream "
                                + running.id()
                                + " event 2: expected event 1 before it, found a gap"),
                new TableDamage(
                        "a lost end of a stream",
                        "domain_event",
                        "DELETE FROM domain_event WHERE event_type = 'LeaseActivated' AND "
                                + stream,
                        "lease status: expected STARTING, found ACTIVE"),
                new TableDamage(
                        "an event that nobody knows",
                        "domain_event",
                        "UPDATE domain_event SET event_type = 'LeasePainted' WHERE sequence = 1"
                                + " AND "
                                + stream,
                        "expected a readable LeasePainted"),
                new TableDamage(
                        "an event that cannot be read",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload || '{\"period\": \"noon\"}'"
                                + " WHERE sequence = 0 AND "
                                + stream,
                        "expected a readable LeaseRequested"),
                new TableDamage(
                        "an event that lacks something",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload - 'period' WHERE sequence = 0"
                                + " AND "
                                + stream,
                        "as a whole: expected a history that can have happened"),
                new TableDamage(
                        "an event of another lease",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload || '{\"leaseId\": \""
                                + over.id()
                                + "\"}' WHERE sequence = 0 AND "
                                + stream,
                        "expected an event of its stream"));
    }

    @Override
    public String toString() {
        return name;
    }
}
