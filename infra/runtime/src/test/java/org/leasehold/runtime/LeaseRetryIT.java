package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tests leases that the calendar cannot hold at first, on the whole product. */
@Order(4)
class LeaseRetryIT {

    private static final Duration INTERVAL = Duration.ofHours(1);

    @TempDir private static Path folder;
    private static Product product;

    private final Client demo = product.as("demo");
    private final DemoProject tenant = new DemoProject(product);

    @BeforeAll
    static void start() {
        product = Product.start(folder, "leasehold.lease.retry.max-per-project=2");
        Await.until("all hosts are in the cloud", () -> product.cloud().freepool().size() == 4);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    private static Map<String, Object> wish(Instant start, String host, int attempts) {
        Map<String, Object> wish =
                new LinkedHashMap<>(
                        DemoProject.timed(
                                start, start.plus(Duration.ofHours(1)), DemoProject.named(host)));
        wish.put("if_unavailable", "retry");
        wish.put("retry", Map.of("attempts", attempts, "interval_seconds", INTERVAL.toSeconds()));
        return wish;
    }

    private static Instant days(int count) {
        return product.now().plus(Duration.ofDays(count)).truncatedTo(ChronoUnit.MINUTES);
    }

    private JsonNode show(Lease lease) {
        return demo.get("/api/leases/" + lease.id()).expect(200);
    }

    /** Returns a window around now, in the time of the database, which stores the refusals. */
    private static String window() {
        Instant now = Instant.now();
        Duration day = Duration.ofDays(1);
        return "?from=%s&to=%s".formatted(now.minus(day), now.plus(day));
    }

    private void awaitAttempts(Lease lease, int count) {
        Await.until(
                () -> "%s attempts: %s".formatted(count, show(lease)),
                () -> show(lease).path("attempts").size() == count);
    }

    private void assertGrantedAtThirdAttempt(Lease lease) {
        assertThat(tenant.types(lease))
                .containsExactly(
                        "LeaseRetryScheduled",
                        "LeaseRetryScheduled",
                        "LeaseRequested",
                        "ReservationGranted");
    }

    @Test
    void a_refused_lease_is_granted_once_another_one_is_deleted() {
        Instant start = days(2);
        Lease other =
                tenant.lease(
                        start, start.plus(Duration.ofHours(1)), DemoProject.named("compute-1"));

        JsonNode created = demo.post("/api/leases", wish(start, "compute-1", 3)).expect(201);
        Lease lease = DemoProject.of(created);
        assertThat(created.path("status").asString()).isEqualTo("retrying");
        assertThat(created.at("/attempts/0/reasons/0/missing").asInt()).isEqualTo(1);
        assertThat(Instant.parse(created.path("next_attempt_at").asString()))
                .isEqualTo(Instant.parse(created.at("/attempts/0/at").asString()).plus(INTERVAL));
        assertThat(tenant.status(lease)).isEqualTo("CREATING");
        Answer change = demo.patch("/api/leases/" + lease.id(), Map.of("name", "another"));
        assertThat(change.expect(409).path("type").asString()).isEqualTo("/problems/wrong-status");
        assertThat(demo.get("/api/leases?status=retrying").expect(200).path("leases")).hasSize(1);
        assertThat(
                        demo.post("/api/leases/dry-run", wish(start, "compute-1", 3))
                                .expect(200)
                                .path("accepted")
                                .asBoolean())
                .isFalse();

        product.clock().step(INTERVAL);
        awaitAttempts(lease, 2);
        Lease later =
                tenant.lease(
                        start.plus(Duration.ofHours(1)),
                        start.plus(Duration.ofHours(2)),
                        DemoProject.named("compute-1"));
        // It frees another window, and wakes no request.
        tenant.delete(later);
        tenant.awaitStatus(later, "gone");
        tenant.delete(other);
        // The next planned attempt is an hour away.
        tenant.awaitStatus(lease, "PENDING");

        assertGrantedAtThirdAttempt(lease);
        assertThat(show(lease).path("attempts")).hasSize(2);
        assertThat(show(lease).path("next_attempt_at").isNull()).isTrue();
        assertThat(product.verify()).isEmpty();
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_refused_early_attempt_leaves_the_planned_ones() {
        Instant start = days(8);
        Instant end = start.plus(Duration.ofHours(1));
        Lease other = tenant.lease(start, end, DemoProject.named("compute-1"));
        Lease another = tenant.lease(start, end, DemoProject.named("compute-2"));
        JsonNode created = demo.post("/api/leases", wish(start, "compute-1", 1)).expect(201);
        Lease lease = DemoProject.of(created);

        tenant.delete(another);
        awaitAttempts(lease, 2);

        assertThat(show(lease).path("status").asString()).isEqualTo("retrying");
        assertThat(show(lease).path("next_attempt_at").asString())
                .isEqualTo(created.path("next_attempt_at").asString());
        tenant.delete(other);
        product.clock().step(INTERVAL);
        tenant.awaitStatus(lease, "PENDING");
        assertGrantedAtThirdAttempt(lease);
        assertThat(product.verify()).isEmpty();
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_lease_whose_attempts_all_fail_is_refused_for_good() {
        Instant start = days(4);
        Lease other =
                tenant.lease(
                        start, start.plus(Duration.ofHours(1)), DemoProject.named("compute-2"));
        Lease lease =
                DemoProject.of(demo.post("/api/leases", wish(start, "compute-2", 1)).expect(201));

        product.clock().step(INTERVAL);
        tenant.awaitStatus(lease, "gone");

        demo.get("/api/leases/" + lease.id()).expect(404);
        assertThat(tenant.types(lease)).containsExactly("LeaseRetryScheduled", "LeaseRefused");
        Await.until(
                "the refusal is listed once",
                () ->
                        demo.get("/api/refusals" + window())
                                        .expect(200)
                                        .path("refusals")
                                        .valueStream()
                                        .filter(
                                                each ->
                                                        each.path("lease_id")
                                                                .asString()
                                                                .equals(lease.id()))
                                        .filter(each -> !each.path("user_id").isNull())
                                        .count()
                                == 1);
        assertThat(product.verify()).isEmpty();
        tenant.delete(other);
    }

    @Test
    void a_deleted_retry_leaves_nothing_and_is_counted_no_longer() {
        Instant start = days(6);
        Lease other =
                tenant.lease(
                        start, start.plus(Duration.ofHours(1)), DemoProject.named("compute-3"));
        Lease first = requestRetried(start);
        Lease second = requestRetried(start);
        Answer third = demo.post("/api/leases", wish(start, "compute-3", 3));
        assertThat(third.expect(429).path("type").asString())
                .isEqualTo("/problems/too-many-retries");

        tenant.delete(first);

        assertThat(tenant.status(first)).isEqualTo("gone");
        Lease last = requestRetried(start);
        assertThat(product.verify()).isEmpty();
        tenant.delete(second);
        tenant.delete(last);
        tenant.delete(other);
        assertThat(product.verify()).isEmpty();
    }

    private Lease requestRetried(Instant start) {
        return DemoProject.of(demo.post("/api/leases", wish(start, "compute-3", 3)).expect(201));
    }

    @Test
    void a_lease_that_starts_now_is_to_be_started_in_the_response() {
        JsonNode created =
                demo.post(
                                "/api/leases",
                                DemoProject.until(
                                        product.now().plus(Duration.ofHours(1)),
                                        DemoProject.named("compute-4")))
                        .expect(201);
        assertThat(created.path("status").asString()).isIn("to_be_started", "active");
        Lease lease = DemoProject.of(created);
        tenant.awaitStatus(lease, "ACTIVE");
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }
}
