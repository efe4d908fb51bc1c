package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.runtime.Client.Answer;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Tests that an operator's questions about a host and a lease are one or two requests. */
class OperatorQuestionsIT {

    @TempDir private static Path folder;
    private static Product product;
    private static Client admin;
    private static JsonNode hosts;

    @BeforeAll
    static void start() {
        product = Product.start(folder, "leasehold.saga.retry-for=1s");
        admin = product.as("admin");
        hosts = admin.get("/api/resources?kind=physical:host").expect(200).path("resources");
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    /** Books one host for an hour in a week. */
    private static Answer book(String user, String name, JsonNode host) {
        Instant start = nextWeek();
        Map<String, Object> lease = new HashMap<>(untilHourAfter(start, host));
        lease.put("name", name);
        lease.put("start", start.toString());
        return product.as(user).post("/api/leases", lease);
    }

    private static Instant nextWeek() {
        return product.now().plus(Duration.ofDays(7));
    }

    private static Map<String, Object> untilHourAfter(Instant start, JsonNode host) {
        return DemoProject.until(
                start.plus(Duration.ofHours(1)), DemoProject.named(host.path("name").asString()));
    }

    private static String id(Answer lease) {
        return lease.expect(201).path("id").asString();
    }

    @Test
    void an_operator_sees_who_holds_a_host_next_week_in_two_requests() {
        JsonNode host = hosts.path(0);
        Instant start = nextWeek();
        Answer lease = book("demo", "nightly", host);

        long id =
                admin.get("/api/resources?kind=physical:host")
                        .expect(200)
                        .path("resources")
                        .valueStream()
                        .filter(each -> each.path("name").equals(host.path("name")))
                        .map(each -> each.path("id").asLong())
                        .findFirst()
                        .orElseThrow();
        JsonNode bookings =
                admin.getAt(
                                "/api/calendar?resource=%s&from=%s&to=%s"
                                        .formatted(id, start, start.plus(Duration.ofDays(1))),
                                lease.position())
                        .expect(200)
                        .path("bookings");

        assertThat(bookings).hasSize(1);
        JsonNode booking = bookings.path(0);
        assertThat(booking.path("lease_id").asString()).isEqualTo(id(lease));
        assertThat(booking.path("lease_name").asString()).isEqualTo("nightly");
        assertThat(booking.path("project_id").asString()).isEqualTo("demo");
        assertThat(booking.path("resource_name")).isEqualTo(host.path("name"));
    }

    @Test
    void an_operator_sees_the_later_leases_of_a_host_in_one_request() {
        JsonNode host = hosts.path(1);
        Answer lease = book("demo", "nightly", host);

        JsonNode allocations =
                admin.getAt(
                                "/api/resources/allocations?kind=physical:host&resource_id="
                                        + host.path("id").asLong(),
                                lease.position())
                        .expect(200)
                        .at("/allocations/0");

        assertThat(allocations.toString()).contains(id(lease), "\"lease_name\":\"nightly\"");
    }

    @Test
    void an_operator_sees_what_is_stuck_and_why_in_one_request() {
        JsonNode host = hosts.path(2);
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.*", InjectedFault.BROKEN)
                                .onHost(host.path("name").asString()));
        String lease =
                id(product.as("demo").post("/api/leases", untilHourAfter(product.now(), host)));
        Await.until("the start is listed", () -> !stuck().isEmpty());

        JsonNode step = stuck().path(0);

        assertThat(step.path("lease_id").asString()).isEqualTo(lease);
        assertThat(step.path("action").asString()).isEqualTo("start");
        assertThat(step.path("last_fault").asString()).isNotEmpty();
    }

    private static JsonNode stuck() {
        return admin.get("/api/operations/stuck").expect(200).path("actions");
    }

    @Test
    void an_operator_finds_the_leases_of_a_project_by_name_in_one_request() {
        Answer lease = book("demo", "training", hosts.path(3));
        id(product.as("demo").post("/api/leases", untilHourAfter(product.now(), hosts.path(3))));
        Answer foreign = book("other", "trainee", hosts.path(2));

        JsonNode leases =
                admin.getAt("/api/leases?project=demo&name=train", foreign.position()).expect(200);

        assertThat(leases.path("leases").valueStream().map(each -> each.path("id").asString()))
                .containsExactly(id(lease));
    }
}
