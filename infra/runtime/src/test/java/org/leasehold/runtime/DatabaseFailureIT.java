package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Tests failures between the engine and its database: callers get an error, and it recovers. */
@Order(1)
class DatabaseFailureIT extends DatabaseFailureFixture {

    /** A text that only the transaction that stores a request sends to the database. */
    private static final String APPEND = "LeaseRequested";

    /** The database's response to a commit. */
    private static final String COMMITTED = "COMMIT\0";

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
        assertThat(keys.stream().mapToLong(DatabaseFailureFixture::requests).max()).hasValue(1);

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
            Await.until("it has the lock", DatabaseFailureFixture::isTransactionBlocked);

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
}
