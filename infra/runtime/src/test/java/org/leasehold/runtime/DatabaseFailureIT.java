package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.runtime.database.DatabaseAddress;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Tests failures between the engine and its database: callers get an error, and it recovers. */
@Order(1)
class DatabaseFailureIT {

    private static final Duration LONG = Duration.ofHours(5);

    /** A text that only the transaction that stores a request sends to the database. */
    private static final String APPEND = "LeaseRequested";

    /** The database's response to a commit. */
    private static final String COMMITTED = "COMMIT\0";

    /** The advisory lock for which a slow append waits. */
    private static final int OBSTACLE = 4711;

    @TempDir private static Path folder;
    private static final AdjustableClock CLOCK = new AdjustableClock();
    private static DatabaseFaultProxy wire;
    private static DatabaseAddress direct;
    private static Product product;
    private static DemoProject tenant;
    private static Client demo;
    private static Instant end;
    private static ExecutorService threads;

    @BeforeAll
    static void start() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        direct = SharedPostgres.migrated();
        URI address = URI.create(direct.url().substring("jdbc:".length()));
        wire = new DatabaseFaultProxy(address.getPort());
        // The product's own timeout for a network that drops everything is longer.
        DatabaseAddress distant =
                new DatabaseAddress(
                        "jdbc:postgresql://127.0.0.1:%s%s?socketTimeout=14"
                                .formatted(wire.port(), address.getPath()),
                        direct.user(),
                        direct.password(),
                        () -> {});
        product = Product.on(distant, direct, CLOCK, folder);
        CLOCK.toBeginning();
        end = CLOCK.instant().plus(LONG).plus(LONG);
        tenant = new DemoProject(product);
        demo = product.as("demo");
        for (int host = 1; host <= 20; host++) {
            product.as("admin").post("/v1/os-hosts", Map.of("name", "compute-" + host)).expect(201);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        threads.close();
        product.close();
        wire.close();
    }

    @AfterEach
    void heal() throws IOException {
        wire.heal();
    }

    @Test
    void callers_get_503_while_connections_are_refused_and_the_engine_recovers()
            throws IOException {
        Instant start = CLOCK.instant().plus(Duration.ofHours(1));
        Lease pending = tenant.lease(start, start.plus(LONG), "");
        wire.refuse();
        CLOCK.set(start);

        // Each of them gets an error after ten seconds.
        CompletableFuture<Answer> asking =
                meanwhile(() -> demo.postOnce("/api/leases", "refused", wish("refused")));
        CompletableFuture<Answer> listing = meanwhile(() -> demo.get("/api/leases"));
        CompletableFuture<Answer> blazars = meanwhile(() -> demo.get("/v1/leases/" + pending.id()));
        CompletableFuture<Answer> probe = meanwhile(() -> demo.get("/actuator/health/readiness"));
        assertUnavailable(asking.join());
        assertUnavailable(listing.join());
        Answer blazar = blazars.join();
        assertThat(blazar.status()).as(blazar.text()).isEqualTo(503);
        assertThat(blazar.headers().firstValue("Retry-After")).isPresent();
        assertThat(blazar.body().path("error_code").asInt()).isEqualTo(503);
        assertThat(probe.join().status()).isEqualTo(503);
        assertThat(demo.get("/actuator/health/liveness").status()).isEqualTo(200);

        wire.heal();
        Lease asked = DemoProject.of(accepted("refused"));
        tenant.awaitStatus(asked, "ACTIVE");
        tenant.awaitStatus(pending, "ACTIVE");
        assertThat(demo.get("/actuator/health/readiness").status()).isEqualTo(200);
    }

    @Test
    void a_connection_lost_in_a_transaction_leaves_no_partial_write() throws IOException {
        wire.whenever(
                DatabaseFaultProxy.Speaker.ENGINE, APPEND, DatabaseFaultProxy.Fate.CUT_BEFORE);
        assertUnavailable(demo.postOnce("/api/leases", "cut", wish("cut")));
        assertThat(wire.sprung()).isPositive();
        assertThat(requests("cut")).isZero();
        assertThat(claimsWithoutRequest()).isZero();

        wire.heal();
        tenant.awaitStatus(DemoProject.of(accepted("cut")), "ACTIVE");
        assertThat(requests("cut")).isEqualTo(1);
    }

    @Test
    void a_retry_after_a_lost_commit_response_creates_no_second_lease() throws IOException {
        // The first lease after a start commits other transactions before that of its events.
        tenant.awaitStatus(DemoProject.of(accepted("first")), "ACTIVE");
        List<String> keys = IntStream.range(0, 8).mapToObj(n -> "unheard-" + n).toList();
        wire.whenever(
                DatabaseFaultProxy.Speaker.DATABASE, COMMITTED, DatabaseFaultProxy.Fate.CUT_BEFORE);
        keys.stream()
                .map(key -> meanwhile(() -> demo.postOnce("/api/leases", key, wish(key))))
                .toList()
                .forEach(answer -> assertUnavailable(answer.join()));
        assertThat(wire.sprung()).isPositive();
        assertThat(keys.stream().mapToLong(DatabaseFailureIT::requests).max()).hasValue(1);

        wire.heal();
        for (String key : keys) {
            Lease lease = DemoProject.of(accepted(key));
            assertThat(requests(key)).isEqualTo(1);
            tenant.awaitStatus(lease, "ACTIVE");
        }
    }

    @Test
    void a_request_over_a_hanging_database_connection_answers_503() throws IOException {
        wire.hang();
        CompletableFuture<Answer> asking =
                meanwhile(() -> demo.postOnce("/api/leases", "swallowed", wish("swallowed")));
        CompletableFuture<Answer> listing = meanwhile(() -> demo.get("/api/leases"));
        assertUnavailable(asking.join());
        assertUnavailable(listing.join());

        wire.heal();
        tenant.awaitStatus(DemoProject.of(accepted("swallowed")), "ACTIVE");
        assertThat(requests("swallowed")).isEqualTo(1);
    }

    @Test
    void a_node_that_hangs_in_an_append_delays_other_nodes_under_12_seconds() throws IOException {
        try (Product other = Product.on(direct, direct, CLOCK, folder)) {
            // The name in the event of this request: other statements name the type of the event.
            wire.once(
                    DatabaseFaultProxy.Speaker.ENGINE,
                    "\"name\":\"hanging\"",
                    DatabaseFaultProxy.Fate.SILENT_AFTER);
            CompletableFuture<Answer> hanging =
                    meanwhile(() -> demo.postOnce("/api/leases", "hanging", wish("hanging")));
            Await.until(
                    "it hangs with the lock", () -> wire.sprung() > 0 && isAppendLockHeldIdle());

            Instant asked = Instant.now();
            Answer answer = other.as("demo").postOnce("/api/leases", "others", wish("others"));
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(12));
            assertUnavailable(hanging.join());
            assertThat(requests("hanging")).isZero();

            wire.heal();
            tenant.awaitStatus(DemoProject.of(accepted("hanging")), "ACTIVE");
            tenant.awaitStatus(DemoProject.of(answer.body()), "ACTIVE");
        }
    }

    @Test
    void a_request_behind_a_slow_append_answers_503_within_28_seconds() throws SQLException {
        try (Product other = Product.on(direct, direct, CLOCK, folder);
                Connection obstacle = connect()) {
            call(obstacle, "pg_advisory_lock");
            change(
                    """
                    CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql
                        SET lock_timeout = 0 AS
                        'BEGIN PERFORM pg_advisory_xact_lock(%s); RETURN NEW; END';
                    CREATE TRIGGER dawdle BEFORE INSERT ON domain_event FOR EACH ROW
                        WHEN (NEW.payload->>'name' = 'slow') EXECUTE FUNCTION dawdle()
                    """
                            .formatted(OBSTACLE));
            CompletableFuture<Answer> slow =
                    meanwhile(() -> other.as("demo").postOnce("/api/leases", "slow", wish("slow")));
            Await.until("it has the lock", DatabaseFailureIT::isTransactionBlocked);

            Instant asked = Instant.now();
            assertUnavailable(demo.postOnce("/api/leases", "patient", wish("patient")));
            // The server would cancel a statement after 30 seconds.
            assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(28));
            call(obstacle, "pg_advisory_unlock");
            Lease patient = DemoProject.of(accepted("patient"));
            tenant.awaitStatus(DemoProject.of(slow.join().expect(201)), "ACTIVE");
            tenant.awaitStatus(patient, "ACTIVE");
            assertThat(requests("slow")).isEqualTo(1);
            assertThat(requests("patient")).isEqualTo(1);
        } finally {
            change("DROP FUNCTION IF EXISTS dawdle CASCADE");
        }
    }

    private static CompletableFuture<Answer> meanwhile(Supplier<Answer> request) {
        return CompletableFuture.supplyAsync(request, threads);
    }

    /** Retries until there is a response, as a good client does. */
    private static JsonNode accepted(String key) {
        return Await.found(
                key + " is answered",
                () ->
                        Optional.of(demo.postOnce("/api/leases", key, wish(key)))
                                .filter(answer -> answer.status() != 503)
                                .map(answer -> answer.expect(201)));
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.headers().firstValue("Content-Type"))
                .contains("application/problem+json");
        assertThat(answer.body().path("type").asString()).isEqualTo("/problems/unavailable");
    }

    /** Returns the same body each time: a key belongs to one body. */
    private static Map<String, Object> wish(String name) {
        return Map.of(
                "name",
                name,
                "end",
                end.toString(),
                "reservations",
                List.of(
                        Map.of(
                                "kind",
                                "physical:host",
                                "parameters",
                                Map.of(
                                        "min",
                                        1,
                                        "max",
                                        1,
                                        "hypervisor_properties",
                                        "",
                                        "resource_properties",
                                        ""))));
    }

    private static long requests(String name) {
        return count(
                "SELECT count(*) FROM domain_event WHERE event_type = 'LeaseRequested'"
                        + " AND payload->>'name' = '"
                        + name
                        + "'");
    }

    private static long claimsWithoutRequest() {
        return count(
                "SELECT count(*) FROM claim c WHERE NOT EXISTS (SELECT FROM domain_event e"
                        + " WHERE e.payload::text LIKE '%' || c.reservation_id || '%')");
    }

    private static boolean isTransactionBlocked() {
        return count(
                        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                                + " WHERE locktype = 'advisory' AND NOT granted AND objid = "
                                + OBSTACLE
                                + " AND datname = current_database()")
                > 0;
    }

    /** Locks or unlocks; while the connection has the lock, a slow append waits. */
    private static void call(Connection obstacle, String function) throws SQLException {
        try (Statement statement = obstacle.createStatement()) {
            statement.execute("SELECT %s(%s)".formatted(function, OBSTACLE));
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(direct.url(), direct.user(), direct.password());
    }

    private static void change(String statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(statements);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isAppendLockHeldIdle() {
        return count(
                        "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                                + " WHERE l.locktype = 'advisory' AND l.granted"
                                + " AND a.state = 'idle in transaction'"
                                + " AND a.datname = current_database()")
                > 0;
    }

    private static long count(String question) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(question)) {
            answer.next();
            return answer.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
