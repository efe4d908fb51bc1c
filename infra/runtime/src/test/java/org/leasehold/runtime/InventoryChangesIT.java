package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Tests leases of hosts that have changed since their enrolment. */
@ExtendWith(OutputCaptureExtension.class)
@ResourceLock(Resources.SYSTEM_OUT)
@Order(5)
class InventoryChangesIT extends InventoryChangesFixture {

    @Test
    void a_host_that_loses_memory_keeps_active_leases_and_gets_no_new_ones(CapturedOutput output)
            throws SQLException {
        long id = host().path("id").asLong();
        product.as("admin")
                .patch("/api/resources/" + id, Map.of("set", Map.of("rack", "7")))
                .expect(200);
        Lease shared = DemoProject.of(instances(4).expect(201).path("lease"));
        tenant.awaitStatus(shared, "ACTIVE");

        LogSetupLock.undisturbed(
                () -> {
                    product.cloud().setMemory(HOST, 2_048);
                    awaitMemory(2_048);
                    Await.until("the operator is warned", () -> isWarned(output, shared));
                });

        assertThat(host().at("/capabilities/rack").asString()).isEqualTo("7");
        assertThat(affected()).containsExactly(LeaseId.of(shared.id()));
        assertThat(tenant.status(shared)).isEqualTo("ACTIVE");
        assertThat(instances(1).expect(409).path("error_message").asString())
                .contains("Not enough hosts available");
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();

        tenant.end(shared);
        tenant.awaitStatus(shared, "TERMINATED");
        assertThat(instances(3).status()).isEqualTo(409);
        assertThat(whole().expect(409).path("error_message").asString())
                .contains("Not enough hosts available");
        product.cloud().setMemory(HOST, MEMORY);
        awaitMemory(MEMORY);
        Lease whole = DemoProject.of(whole().expect(201).path("lease"));
        tenant.awaitStatus(whole, "ACTIVE");

        product.cloud().setMemory(HOST, 2_048);
        awaitMemory(2_048);
        assertThat(tenant.hostsOf(whole)).containsExactly(HOST);
        tenant.delete(whole);
        tenant.awaitStatus(whole, "gone");
    }

    @Test
    void the_project_of_a_lease_sees_the_use_of_the_host_and_others_do_not() {
        Lease lease =
                DemoProject.of(
                        tenant.askNow(DemoProject.hosts(1, 1, DemoProject.named("compute-2")))
                                .expect(201)
                                .path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        Await.until("it is seen to run nothing", () -> seen("demo", lease).equals(List.of("0 0")));
        assertThat(
                        product.cloud()
                                .boot("web", new ProjectId("demo"), lease.reservation())
                                .orElseThrow()
                                .host())
                .isEqualTo("compute-2");
        Await.until("a server is seen", () -> seen("demo", lease).equals(List.of("0 0", "1 2")));

        JsonNode usage =
                product.as("demo")
                        .get("/api/usage?by=lease&lease=" + lease.id())
                        .expect(200)
                        .at("/usage/0");
        assertThat(usage.path("idle").decimalValue()).isPositive();
        assertThat(usage.path("vcpus").decimalValue())
                .isEqualByComparingTo(
                        usage.path("servers").decimalValue().multiply(BigDecimal.TWO));
        assertThat(usage.path("observed").decimalValue())
                .isBetween(usage.path("idle").decimalValue(), usage.path("active").decimalValue());
        Await.until("capacity reports it", () -> idle().signum() > 0);
        assertThat(seen("other", lease)).isEmpty();
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_lease_is_degraded_and_credited_while_the_host_is_down() {
        String name = "compute-3";
        Lease lease =
                DemoProject.of(
                        tenant.askNow(DemoProject.hosts(1, 1, DemoProject.named(name)))
                                .expect(201)
                                .path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");

        product.cloud().setHostUp(name, false);
        Await.until("it is down", () -> tenant.types(lease).contains("ResourceFailed"));
        assertThat(lacks(lease)).isTrue();
        assertThat(explanation(lease))
                .startsWith("Reservation ")
                .endsWith(" lacks compute-3: The cloud: it is down");
        assertThat(tenant.status(lease)).isEqualTo("ACTIVE");

        product.cloud().setHostUp(name, true);
        Await.until("it is back", () -> tenant.types(lease).contains("ResourceRecovered"));
        assertThat(lacks(lease)).isFalse();
        assertThat(explanation(lease)).isEmpty();
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        Instant given = at(lease, "ReservationActivated");
        Instant down = at(lease, "ResourceFailed");
        Instant up = at(lease, "ResourceRecovered");
        Instant end = at(lease, "LeaseEnding");
        BigDecimal lost = DemoProject.euros(down, up);
        Instant from = given.minusSeconds(3600);
        Instant to = end.plusSeconds(60);
        Await.until(
                () ->
                        "%s has %s, %s and %s"
                                .formatted(tenant.charges(lease, from, to), down, up, end),
                () ->
                        tenant.charges(lease, from, to)
                                .containsAll(
                                        List.of(
                                                "usage active " + DemoProject.euros(given, down),
                                                "usage lost " + lost,
                                                "credit lost " + lost.negate(),
                                                "usage active " + DemoProject.euros(up, end))));
        JsonNode usage =
                product.as("demo")
                        .get("/api/usage?by=lease&lease=" + lease.id())
                        .expect(200)
                        .at("/usage/0");
        assertThat(usage.path("lost").decimalValue())
                .isGreaterThan(BigDecimal.valueOf(Duration.between(down, up).toMillis(), 3));
        assertThat(usage.path("active").decimalValue())
                .isEqualByComparingTo(
                        BigDecimal.valueOf(
                                ChronoUnit.MICROS.between(given, down)
                                        + ChronoUnit.MICROS.between(up, end),
                                6));
    }

    @Test
    void a_lease_is_degraded_while_the_host_is_disabled() {
        Client admin = product.as("admin");
        String name = "compute-4";
        Lease lease = tenant.leaseNow(1, DemoProject.named(name));
        tenant.awaitStatus(lease, "ACTIVE");
        String ours = "/api/leases/" + lease.id();
        String tag = product.as("demo").get(ours).headers().firstValue("ETag").orElseThrow();
        assertThat(lacks(lease)).isFalse();

        String host = "/api/resources/" + id(name);
        admin.post(host + "/disable", Map.of("reason", "a fan is loud")).expect(200);
        assertThat(lacks(lease)).isTrue();
        assertThat(explanation(lease)).isEqualTo("compute-4 is out of service (a fan is loud).");
        assertThat(listed(lease).path("degraded").asBoolean()).isTrue();
        Client.Answer degraded = product.as("demo").get(ours);
        assertThat(degraded.headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
        String present = degraded.headers().firstValue("ETag").orElseThrow();
        product.as("demo").patchIfMatch(ours, present, Map.of("name", "loud")).expect(200);
        assertThat(tenant.types(lease)).doesNotContain("ResourceFailed");

        admin.post(host + "/enable", Map.of()).expect(200);
        assertThat(lacks(lease)).isFalse();
        assertThat(explanation(lease)).isEmpty();
        assertThat(listed(lease).path("degraded").asBoolean()).isFalse();
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }
}
