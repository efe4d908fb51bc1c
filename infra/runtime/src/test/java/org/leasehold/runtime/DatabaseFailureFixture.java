package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
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

/** A product whose connections to the database go through a proxy that can fail. */
abstract class DatabaseFailureFixture {

    static final Duration LONG = Duration.ofHours(5);

    /** The advisory lock for which a slow append waits. */
    static final int OBSTACLE = 4711;

    @TempDir static Path folder;
    static final AdjustableClock CLOCK = new AdjustableClock();
    static DatabaseFaultProxy wire;
    static DatabaseAddress direct;
    private static Product product;
    static DemoProject tenant;
    static Client demo;
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

    static CompletableFuture<Answer> meanwhile(Supplier<Answer> request) {
        return CompletableFuture.supplyAsync(request, threads);
    }

    /** Retries until there is a response, as a good client does. */
    static JsonNode accepted(String key) {
        return Await.found(
                key + " is answered",
                () ->
                        Optional.of(demo.postOnce("/api/leases", key, wish(key)))
                                .filter(answer -> answer.status() != 503)
                                .map(answer -> answer.expect(201)));
    }

    static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.headers().firstValue("Content-Type"))
                .contains("application/problem+json");
        assertThat(answer.body().path("type").asString()).isEqualTo("/problems/unavailable");
    }

    /** Returns the same body each time: a key belongs to one body. */
    static Map<String, Object> wish(String name) {
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
                                DemoProject.hostParameters(""))));
    }

    static long requests(String name) {
        return count(
                "SELECT count(*) FROM domain_event WHERE event_type = 'LeaseRequested'"
                        + " AND payload->>'name' = '"
                        + name
                        + "'");
    }

    static long claimsWithoutRequest() {
        return count(
                "SELECT count(*) FROM claim c WHERE NOT EXISTS (SELECT FROM domain_event e"
                        + " WHERE e.payload::text LIKE '%' || c.reservation_id || '%')");
    }

    static boolean isTransactionBlocked() {
        return count(
                        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                                + " WHERE locktype = 'advisory' AND NOT granted AND objid = "
                                + OBSTACLE
                                + " AND datname = current_database()")
                > 0;
    }

    /** Locks or unlocks; while the connection has the lock, a slow append waits. */
    static void call(Connection obstacle, String function) throws SQLException {
        try (Statement statement = obstacle.createStatement()) {
            statement.execute("SELECT %s(%s)".formatted(function, OBSTACLE));
        }
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(direct.url(), direct.user(), direct.password());
    }

    static void change(String statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(statements);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isAppendLockHeldIdle() {
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
