package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.runtime.database.DatabaseAddress;
import org.leasehold.runtime.verify.VerificationDifference;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tests that every difference from the events is reported and located. */
class VerifyIT {

    private static final Duration LONG = Duration.ofHours(5);

    @TempDir private static Path folder;
    private static Product product;
    private static Lease running;
    private static Lease waiting;
    private static Lease over;

    @BeforeAll
    static void live() {
        product = Product.startEmbedded(folder);
        DemoProject tenant = new DemoProject(product);
        running = tenant.leaseNow(1, DemoProject.named("compute-1"));
        Instant later = product.now().plus(LONG);
        waiting = tenant.lease(later, later.plus(LONG), DemoProject.named("compute-2"));
        product.as("demo")
                .patch(
                        "/api/leases/" + waiting.id(),
                        Map.of("before_end", later.plusSeconds(60).toString()))
                .expect(200);
        over = tenant.leaseNow(1, DemoProject.named("compute-3"));
        tenant.awaitStatus(running, "ACTIVE");
        tenant.awaitStatus(over, "ACTIVE");
        tenant.end(over);
        tenant.awaitStatus(over, "TERMINATED");
        Lease gone = tenant.lease(later, later.plus(LONG), DemoProject.named("compute-4"));
        tenant.delete(gone);
        Client admin = product.as("admin");
        admin.post("/v1/os-hosts", Map.of("name", "compute-5", "gpu", "V100")).expect(201);
        admin.patch("/v1/os-hosts/properties/gpu", Map.of("private", true)).expect(200);
        // Before that, the expected timers are unknown. A saga that ignores the last events
        // acknowledges them some seconds later.
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void the_stored_state_matches_the_events() {
        assertThat(product.verify()).isEmpty();
    }

    @Test
    void the_command_reads_the_database_of_a_running_engine() throws SQLException {
        assertThat(command()).contains("4 leases", ": 0 differences\n").endsWith("\n0");
        sql("DELETE FROM holder");
        try {
            assertThat(command())
                    .contains(
                            "holder: lease "
                                    + running.id()
                                    + " reservation "
                                    + running.reservation()
                                    + " on resource 1: expected",
                            ": 1 differences\n")
                    .endsWith("\n1");
        } finally {
            sql(
                    """
                    INSERT INTO holder
                    SELECT 1, '%s', '%s', (payload #>> '{tenures,0,generation}')::bigint, now()
                    FROM domain_event WHERE event_type = 'LeaseStarting' AND stream_id = '%s'
                    """
                            .formatted(running.reservation(), running.id(), running.id()));
        }
    }

    @Test
    void the_command_reports_a_lost_event(@TempDir Path another) throws IOException, SQLException {
        Path file = another.resolve("last-event");
        Files.writeString(
                file,
                Files.readString(folder.resolve("last-event"))
                        .replaceFirst("position 0", "position 9"));

        assertThat(command("--leasehold.epoch.file=" + file))
                .contains("domain_event: position 9", "the database has lost it")
                .endsWith("\n1");
    }

    @Test
    void the_command_fails_on_a_folder_without_an_engine(@TempDir Path empty) {
        assertThatThrownBy(() -> VerifyCommand.run(settings(empty), System.out))
                .hasMessageContaining(empty.toString());
        assertThat(empty).isEmptyDirectory();
    }

    /** A direct change of the database, and the table that it affects. */
    record Mischief(String name, String table, String sql, String violation) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Mischief> mischief() {
        String lease = "lease_id = '" + running.id() + "'";
        String stream = "stream_id = '" + running.id() + "'";
        String ofRunning = "lease " + running.id();
        return List.of(
                new Mischief(
                        "a lost claim",
                        "claim",
                        "DELETE FROM claim WHERE " + lease,
                        "claim: " + ofRunning + " reservation " + running.reservation()),
                new Mischief(
                        "a shifted claim",
                        "claim",
                        "UPDATE claim SET during = tstzrange(lower(during) + interval '1 s',"
                                + " upper(during)) WHERE "
                                + lease,
                        "on resource 1 from: expected"),
                new Mischief(
                        "a claim of nobody",
                        "claim",
                        "INSERT INTO claim SELECT 4, within, during, gen_random_uuid(),"
                                + " gen_random_uuid(), gen_random_uuid(), project_id, cleaning,"
                                + " relies_on FROM claim WHERE "
                                + lease,
                        "on resource 4: expected nothing"),
                new Mischief(
                        "another holder's generation",
                        "holder",
                        "UPDATE holder SET generation = generation + 1",
                        "holder: "
                                + ofRunning
                                + " reservation "
                                + running.reservation()
                                + " on resource 1 generation: expected"),
                new Mischief(
                        "a lost timer",
                        "timer",
                        "DELETE FROM timer WHERE task_instance = 'start:" + waiting.id() + "'",
                        "timer: lease " + waiting.id() + " start:" + waiting.id()),
                new Mischief(
                        "a lost announcement",
                        "timer",
                        "DELETE FROM timer WHERE task_instance LIKE 'announce-end:%'",
                        "announce-end:" + waiting.id()),
                new Mischief(
                        "a timer of nobody",
                        "timer",
                        "CREATE TEMPORARY TABLE stray AS SELECT * FROM timer WHERE task_instance ="
                                + " 'end:"
                                + waiting.id()
                                + "'; UPDATE stray SET task_instance = 'end:"
                                + over.id()
                                + "'; INSERT INTO timer SELECT * FROM stray",
                        "timer: lease " + over.id() + " end:" + over.id()),
                new Mischief(
                        "a wait for nobody",
                        "waiting",
                        "INSERT INTO waiting SELECT lease_id, gen_random_uuid() FROM claim WHERE "
                                + lease,
                        "waiting: " + ofRunning + " for reservation "),
                new Mischief(
                        "a retried request that was granted at once",
                        "retried_request",
                        "INSERT INTO retried_request (lease_id, kinds, starts, ends, since,"
                                + " next_attempt, event_id, request_id, refused_at) SELECT"
                                + " lease_id, '{physical:host}', now(), now(), now(), now(),"
                                + " 'event', 'request', now() FROM claim WHERE "
                                + lease
                                + " LIMIT 1",
                        "retried_request: " + ofRunning + " next attempt "),
                new Mischief(
                        "a lease with another status",
                        "lease",
                        "UPDATE lease SET status = 'ENDED' WHERE " + lease,
                        "lease: " + ofRunning + " lease status: expected ACTIVE, found ENDED"),
                new Mischief(
                        "a lease with another name",
                        "lease",
                        "UPDATE lease SET view = jsonb_set(view::jsonb, '{name}', '\"x\"')::json"
                                + " WHERE "
                                + lease,
                        "view.name: expected \"now\", found \"x\""),
                new Mischief(
                        "a lost lease",
                        "lease",
                        "DELETE FROM lease WHERE " + lease,
                        "lease: " + ofRunning + " lease: expected"),
                new Mischief(
                        "a lease that is counted twice",
                        "lease_count",
                        "UPDATE lease_count SET unfinished = unfinished + 1",
                        "expected 2 unfinished leases, 0 retried, found 3, 0"),
                new Mischief(
                        "a property that everybody sees",
                        "resource_property",
                        "UPDATE resource_property SET hidden = NOT hidden WHERE name = 'gpu'",
                        "hidden: expected true, found false"),
                new Mischief(
                        "a lost booking",
                        "booking",
                        "DELETE FROM booking WHERE " + lease,
                        "booking: " + ofRunning + " reservation "),
                new Mischief(
                        "a booking of another kind",
                        "booking",
                        "UPDATE booking SET kind = 'virtual:network' WHERE " + lease,
                        " kind: expected physical:host, found virtual:network"),
                new Mischief(
                        "a lost entry",
                        "event_entry",
                        "DELETE FROM event_entry WHERE sequence = 0 AND " + stream,
                        "event_entry: event "),
                new Mischief(
                        "an entry with another number",
                        "event_entry",
                        "UPDATE event_entry SET number = number + 1000 WHERE sequence = 0 AND "
                                + stream,
                        "event_entry: event "),
                new Mischief(
                        "a resource that no event is found by",
                        "event_resource",
                        "DELETE FROM event_resource WHERE resource_id = 1",
                        " resource 1: expected named, found nothing"),
                new Mischief(
                        "an event that its user is not found by",
                        "audit_subject",
                        "DELETE FROM audit_subject WHERE sort = 'user' AND position IN"
                                + " (SELECT position FROM domain_event WHERE sequence = 0 AND "
                                + stream
                                + ")",
                        ": expected found by it, found nothing"),
                new Mischief(
                        "a reason that was edited",
                        "domain_event",
                        "UPDATE domain_event SET metadata = metadata || '{\"reason\": \"x\"}'"
                                + " WHERE sequence = 1 AND "
                                + stream,
                        "expected the event that was sealed as "),
                new Mischief(
                        "a resource's event that was edited",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload || '{\"note\": \"x\"}'"
                                + " WHERE position = 1",
                        "domain_event: position 1: expected the event that was sealed as "),
                new Mischief(
                        "a lost seal",
                        "seal",
                        "DELETE FROM seal WHERE position = 2",
                        "seal: position 2: expected the seal of the event that is there"),
                new Mischief(
                        "a stream that stands elsewhere",
                        "sealed_stream",
                        "UPDATE sealed_stream SET sequence = sequence + 1 WHERE " + stream,
                        "sealed_stream: stream " + running.id()),
                new Mischief(
                        "a gap in a stream",
                        "domain_event",
                        "DELETE FROM domain_event WHERE sequence = 1 AND " + stream,
                        "domain_event: stream "
                                + running.id()
                                + " event 2: expected event 1 before it, found a gap"),
                new Mischief(
                        "a lost end of a stream",
                        "domain_event",
                        "DELETE FROM domain_event WHERE event_type = 'LeaseActivated' AND "
                                + stream,
                        "lease status: expected STARTING, found ACTIVE"),
                new Mischief(
                        "an event that nobody knows",
                        "domain_event",
                        "UPDATE domain_event SET event_type = 'LeasePainted' WHERE sequence = 1"
                                + " AND "
                                + stream,
                        "expected a readable LeasePainted"),
                new Mischief(
                        "an event that cannot be read",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload || '{\"period\": \"noon\"}'"
                                + " WHERE sequence = 0 AND "
                                + stream,
                        "expected a readable LeaseRequested"),
                new Mischief(
                        "an event that lacks something",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload - 'period' WHERE sequence = 0"
                                + " AND "
                                + stream,
                        "as a whole: expected a history that can have happened"),
                new Mischief(
                        "an event of another lease",
                        "domain_event",
                        "UPDATE domain_event SET payload = payload || '{\"leaseId\": \""
                                + over.id()
                                + "\"}' WHERE sequence = 0 AND "
                                + stream,
                        "expected an event of its stream"));
    }

    @ParameterizedTest
    @MethodSource
    void mischief(Mischief mischief) throws SQLException {
        sql("CREATE TABLE saved AS TABLE " + mischief.table());
        try {
            sql(mischief.sql());
            assertThat(product.verify())
                    .extracting(VerificationDifference::toString)
                    .anyMatch(line -> line.contains(mischief.violation()))
                    .allMatch(line -> !line.contains("\n"));
        } finally {
            sql(restoring(mischief.table()));
            sql("DROP TABLE saved");
        }
        assertThat(product.verify()).isEmpty();
    }

    /** Returns the statements that restore a table; generated columns accept no values. */
    private static String restoring(String table) {
        return """
        DELETE FROM %1$s;
        DO $$ BEGIN EXECUTE (
            SELECT format('INSERT INTO %1$s (%%1$s) OVERRIDING SYSTEM VALUE SELECT %%1$s FROM saved',
                string_agg(quote_ident(attname), ', '))
            FROM pg_attribute
            WHERE attrelid = '%1$s'::regclass AND attnum > 0 AND NOT attisdropped
              AND attgenerated = ''); END $$
        """
                .formatted(table);
    }

    @Test
    void a_changed_resource_is_reported() throws SQLException {
        sql("UPDATE resource SET state = 'DISABLED' WHERE resource_id = 4");
        try {
            assertThat(product.verify())
                    .extracting(VerificationDifference::toString)
                    .containsExactly(
                            "resource: resource 4 state: expected ENROLLED, found DISABLED");
        } finally {
            sql("UPDATE resource SET state = 'ENROLLED' WHERE resource_id = 4");
        }
    }

    @Test
    void a_double_booking_is_reported() throws SQLException {
        sql("ALTER TABLE claim DROP CONSTRAINT claim_is_exclusive");
        sql(
                "INSERT INTO claim SELECT resource_id, within, during, gen_random_uuid(),"
                        + " gen_random_uuid(), gen_random_uuid(), project_id, cleaning, relies_on"
                        + " FROM claim WHERE lease_id = '"
                        + running.id()
                        + "'");
        try {
            assertThat(product.verify())
                    .extracting(VerificationDifference::toString)
                    .anyMatch(
                            line ->
                                    line.startsWith(
                                            "claim: resource 1: expected promised to one at a"
                                                    + " time"));
        } finally {
            sql(
                    "DELETE FROM claim WHERE reservation_id NOT IN (SELECT occupancy FROM claim"
                            + " WHERE lease_id IN (SELECT lease_id FROM lease))");
            sql(
                    """
                    ALTER TABLE claim ADD CONSTRAINT claim_is_exclusive EXCLUDE USING gist
                        (resource_id WITH =, within WITH =, during WITH &&, occupancy WITH <>)
                    """);
        }
    }

    @Test
    void a_rebuild_repairs_damaged_read_models() throws SQLException {
        sql(
                "UPDATE lease SET status = 'ENDED', view = '{}'; UPDATE resource SET zone = 'x';"
                        + " UPDATE resource_property SET hidden = NOT hidden;"
                        + " DELETE FROM event_entry WHERE number % 2 = 0;"
                        + " DELETE FROM event_resource; DELETE FROM booking WHERE slots = 1;"
                        + " DELETE FROM audit_subject WHERE sort = 'kind'");
        assertThat(product.verify())
                .extracting(VerificationDifference::table)
                .contains(
                        "lease",
                        "resource",
                        "resource_property",
                        "event_entry",
                        "event_resource",
                        "booking",
                        "audit_subject");

        Client admin = product.as("admin");
        admin.post("/api/operations/read-models/rebuild", Map.of()).expect(202);
        Await.until(
                () -> admin.get("/api/operations/read-models").toString(),
                () ->
                        admin.get("/api/operations/read-models")
                                .expect(200)
                                .path("read_models")
                                .valueStream()
                                .allMatch(r -> r.path("state").asString().equals("rebuilt")));

        assertThat(product.verify()).isEmpty();
    }

    private static String command(String... settings) throws SQLException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int status = VerifyCommand.run(settings(folder, settings), new PrintStream(out, true));
        return out.toString(StandardCharsets.UTF_8) + status;
    }

    private static String[] settings(Path folder, String... others) {
        return Stream.concat(Stream.of("--leasehold.database.folder=" + folder), Stream.of(others))
                .toArray(String[]::new);
    }

    private static void sql(String sql) throws SQLException {
        DatabaseAddress database = product.database();
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
