package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tests the records of a lease: the audit trail, the charges and the feed of a calendar. */
class LeaseRecordsIT extends LeaseLifecycleFixture {

    @Test
    void the_audit_search_finds_the_user_and_reason_of_a_deletion() {
        Lease lease = tenant.leaseNow(1, DemoProject.named(enrol().name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.as("demo").deleteBecause("/v1/leases/" + lease.id(), "it is done").expect(204);
        tenant.awaitStatus(lease, "gone");

        JsonNode deleted = tenant.event(lease, "LeaseDeleted").orElseThrow();
        assertThat(deleted.path("user_id").asString()).isEqualTo("demo");
        assertThat(deleted.path("reason").asString()).isEqualTo("it is done");
        String search = "/api/audit/events?type=LeaseDeleted&user=demo&lease=" + lease.id();
        Await.until(
                "the search finds it",
                () -> product.as("admin").get(search).expect(200).path("events").size() == 1);
        JsonNode found = product.as("admin").get(search).expect(200).at("/events/0");
        assertThat(found.path("user_id").asString()).isEqualTo("demo");
        assertThat(found.path("reason").asString()).isEqualTo("it is done");
    }

    @Test
    void the_charges_of_a_lease_match_the_price_plan() {
        Host host = enrol();
        Instant from = product.now().minusSeconds(60);
        Instant start = product.now().plus(HOUR);
        Instant end = start.plus(HOUR);
        Map<String, Object> wish = DemoProject.timed(start, end, DemoProject.named(host.name()));
        assertThat(
                        product.as("demo")
                                .post("/api/quote", wish)
                                .expect(200)
                                .at("/totals/0/amount")
                                .asString())
                .isEqualTo("3602.50");

        Lease lease = tenant.lease(start, end, DemoProject.named(host.name()));
        clock.set(start);
        tenant.awaitStatus(lease, "ACTIVE");
        clock.set(end);
        tenant.awaitStatus(lease, "TERMINATED");

        Instant given =
                Instant.parse(
                        audited(lease, "ReservationActivated").at("/event/decided_at").asString());
        List<String> lines =
                List.of(
                        "reservation_fee 0.50",
                        "fee 2.00",
                        "usage lost " + DemoProject.euros(start, given),
                        "credit lost " + DemoProject.euros(start, given).negate(),
                        "usage active " + DemoProject.euros(given, end));
        Instant to = end.plusSeconds(60);
        Await.until(
                () -> "%s is %s".formatted(lines, tenant.charges(lease, from, to)),
                () -> tenant.charges(lease, from, to).containsAll(lines));
        assertThat(tenant.charges(lease, from, to)).hasSameSizeAs(lines);
        assertThat(
                        product.as("demo")
                                .get("/api/charges/focus?from=%s&to=%s".formatted(from, to))
                                .text()
                                .lines()
                                .filter(row -> row.contains(lease.id()))
                                .map(row -> new BigDecimal(row.split(",", 3)[1]))
                                .reduce(BigDecimal.ZERO, BigDecimal::add))
                .isEqualByComparingTo(DemoProject.euros(given, end).add(new BigDecimal("2.50")));
    }

    @Test
    void the_audit_chain_of_a_request_contains_the_call_of_the_plugin() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");

        JsonNode activated = audited(lease, "LeaseActivated");
        assertThat(activated.at("/before/status").asString()).isEqualTo("to_be_started");
        assertThat(activated.at("/after/status").asString()).isEqualTo("active");

        String path = "/api/audit/events/" + position(lease, "LeaseRequested") + "/chain";
        // The trail includes only events that all its consumers have processed, some ms later.
        JsonNode chain =
                Await.found(
                        path,
                        () ->
                                Optional.of(product.as("admin").get(path).expect(200))
                                        .filter(it -> isIn(it, position(lease, "LeaseActivated"))));
        assertThat(chain.path("complete").asBoolean()).isTrue();
        assertThat(chain.path("steps").valueStream())
                .anySatisfy(
                        step -> {
                            assertThat(step.at("/call/action").asString()).isEqualTo("start");
                            assertThat(step.at("/call/reservation_id").asString())
                                    .isEqualTo(lease.reservation().toString());
                            assertThat(step.path("because_of").asLong())
                                    .isEqualTo(position(lease, "LeaseStarting"));
                        });
    }

    private boolean isIn(JsonNode chain, long position) {
        return chain.path("steps")
                .valueStream()
                .anyMatch(step -> step.at("/event/position").asLong() == position);
    }

    @Test
    void a_calendar_feed_contains_only_leases_of_the_project() {
        Instant start = product.now().plus(LONG);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(enrol().name()));
        String others =
                product.as("other")
                        .post(
                                "/api/leases",
                                DemoProject.timed(
                                        start, start.plus(LONG), DemoProject.named(enrol().name())))
                        .expect(201)
                        .path("id")
                        .asString();
        JsonNode feed =
                product.as("demo").post("/api/calendar/feeds", Map.of("name", "ours")).expect(201);
        String path = feed.path("url").asString().substring(product.root().length());
        Client program = product.asAnonymous();
        Await.until(
                "both are in the calendar",
                () -> isInCalendar("demo", lease.id()) && isInCalendar("other", others));

        Answer file = program.get(path);
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("text/calendar");
        assertThat(file.text()).contains("UID:" + lease.id()).doesNotContain(others);
        assertThat(
                        file.text()
                                .lines()
                                .filter(line -> line.startsWith("UID:"))
                                .map(uid -> uid.substring(4)))
                .allSatisfy(uid -> product.as("demo").get("/api/leases/" + uid).expect(200));

        product.as("demo").delete("/api/calendar/feeds/" + feed.path("id").asString()).expect(204);
        assertThat(program.get(path).status()).isEqualTo(404);
    }

    private boolean isInCalendar(String user, String lease) {
        return product.as(user).get("/api/calendar?lease=" + lease).text().contains(lease);
    }
}
