package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A product with an own clock, a project with leases, and a host for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaseLifecycleFixture {

    static final Duration LONG = Duration.ofHours(5);
    static final Duration HOUR = Duration.ofHours(1);

    private Path folder;
    final AdjustableClock clock = new AdjustableClock();
    Product product;
    DemoProject tenant;

    /** The first start enrols the first four. */
    private final AtomicInteger lastHost = new AtomicInteger(4);

    @BeforeAll
    void begin(@TempDir Path given) {
        folder = given;
        start();
        clock.toBeginning();
    }

    final void start() {
        product =
                Product.start(
                        folder,
                        clock,
                        "leasehold.saga.retry-for=1s",
                        ProductApi.PLANS,
                        "leasehold.plugins.simulator.hosts=60");
        tenant = new DemoProject(product);
    }

    /** Verifies all derived rows of all leases against the events. */
    @AfterAll
    void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    /** Makes each test cross a minute during its requests. */
    @BeforeEach
    void the_clock_is_near_the_end_of_a_minute() {
        clock.toEndOfMinute();
    }

    @AfterEach
    void behaveWell() {
        product.cloud().clearBehaviorRules();
        product.gate().open();
    }

    long position(Lease lease, String type) {
        return tenant.event(lease, type).orElseThrow().path("position").asLong();
    }

    /** Returns the auditors' view of an event; the trail lags by some milliseconds. */
    JsonNode audited(Lease lease, String type) {
        String path = "/api/audit/events/" + position(lease, type);
        return Await.found(
                path,
                () ->
                        Optional.of(product.as("admin").get(path))
                                .filter(answer -> answer.status() == 200)
                                .map(Answer::body));
    }

    void retry(Lease lease) {
        admin("/api/operations/leases/" + lease.id() + "/retry").expect(204);
    }

    void disable(Host host, String reason, Lease affected) {
        var answer =
                product.as("admin")
                        .post("/api/resources/" + host.id() + "/disable", Map.of("reason", reason))
                        .expect(200);
        assertThat(answer.path("affected_leases").valueStream().map(JsonNode::asString))
                .containsExactly(affected.id());
    }

    Answer admin(String path) {
        return product.as("admin").post(path, Map.of());
    }

    Host enrol() {
        return enrol(Map.of());
    }

    /** Enrols a host that no other test uses. */
    Host enrol(Map<String, String> capabilities) {
        String name = "compute-" + lastHost.incrementAndGet();
        Map<String, Object> body = new java.util.LinkedHashMap<>(capabilities);
        body.put("name", name);
        String id =
                product.as("admin")
                        .post("/v1/os-hosts", body)
                        .expect(201)
                        .path("host")
                        .path("id")
                        .asString();
        Await.until("the cloud knows", () -> product.cloud().freepool().contains(name));
        return new Host(id, name);
    }

    record Host(String id, String name) {}

    /** The leases of a host, one after the other. */
    record HandOver(Host host, Lease first, Lease second) {}

    /** Delays the second lease of a host: the end of the first one waits for the gate to open. */
    HandOver delayHandOver() {
        Host host = enrol();
        Instant end = product.now().plus(HOUR);
        Lease first = tenant.leaseUntil(end, DemoProject.named(host.name()));
        Lease second = tenant.lease(end, end.plus(LONG), DemoProject.named(host.name()));
        tenant.awaitStatus(first, "ACTIVE");
        product.gate().close(PluginGate.Action.END);
        clock.set(end);
        Await.found("the delay", () -> tenant.event(second, "LeaseDelayed"));
        return new HandOver(host, first, second);
    }
}
