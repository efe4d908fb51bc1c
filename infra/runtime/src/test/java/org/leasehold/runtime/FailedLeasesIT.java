package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Tests leases whose hosts or calls of the cloud fail, and how operators repair them. */
class FailedLeasesIT extends LeaseLifecycleFixture {

    @Test
    void a_spare_host_replaces_a_disabled_host_at_the_start() {
        String rack = UUID.randomUUID().toString();
        Host broken = enrol(Map.of("rack", rack));
        Host spare = enrol(Map.of("rack", rack));
        Instant start = product.now().plus(HOUR);
        Lease lease =
                tenant.lease(start, start.plus(LONG), "[\"==\", \"$rack\", \"" + rack + "\"]");
        disable(broken, "on fire", lease);
        clock.set(start);

        tenant.awaitStatus(lease, "ACTIVE");

        assertThat(tenant.hostsOf(lease)).containsExactly(spare.name());
        var reservation = tenant.show(lease).body().path("lease").path("reservations").path(0);
        assertThat(reservation.path("resources_changed").asBoolean()).isTrue();
    }

    @Test
    void a_lease_with_only_a_disabled_host_fails_and_starts_on_retry() {
        Host host = enrol();
        Instant start = product.now().plus(HOUR);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(host.name()));
        disable(host, "on fire", lease);
        clock.set(start);

        tenant.awaitStatus(lease, "ERROR");
        assertThat(tenant.event(lease, "ReservationFailed").orElseThrow().toString())
                .contains(host.name(), "on fire");

        admin("/api/resources/" + host.id() + "/enable").expect(200);
        retry(lease);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(host.name());
    }

    @Test
    void a_failed_start_is_an_error_until_an_operator_retries_it() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.add_host", InjectedFault.BROKEN)
                                .onHost(host.name()));
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ERROR");

        product.cloud().clearBehaviorRules();
        retry(lease);

        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(host.name());
    }

    @Test
    void a_transient_cloud_timeout_does_not_fail_the_start() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.add_host", InjectedFault.TIME_OUT_AFTER)
                                .onHost(host.name())
                                .times(1));

        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));

        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.types(lease)).doesNotContain("ReservationFailed");
        assertThat(product.cloud().effects(lease.reservation()))
                .filteredOn(effect -> effect.operation().equals("add_host"))
                .hasSize(1);
    }

    @Test
    void a_failed_end_is_stuck_until_an_operator_retries_it() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("end.remove_host", InjectedFault.BROKEN)
                                .onHost(host.name()));

        tenant.end(lease);
        Await.until("the end is listed", () -> !stuck(lease).isEmpty());
        assertThat(stuck(lease))
                .singleElement()
                .satisfies(
                        action -> {
                            assertThat(action.path("attempts").asInt()).isPositive();
                            assertThat(action.path("last_fault").asString()).isNotBlank();
                        });
        tenant.awaitStatus(lease, "ERROR");

        product.cloud().clearBehaviorRules();
        retry(lease);

        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
        Await.until("nothing is stuck", () -> stuck(lease).isEmpty());
    }

    @Test
    void a_failed_host_retirement_is_stuck_until_an_operator_retries_it() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("retire*", InjectedFault.BROKEN).onHost(host.name()));
        product.as("admin").delete("/v1/os-hosts/" + host.id()).expect(204);
        Await.until("the host is listed", () -> stuck(host).isPresent());
        assertThat(stuck(host).orElseThrow().path("action").asString()).isEqualTo("retire");
        assertThat(stuck(host).orElseThrow().path("last_fault").asString()).isNotBlank();

        product.cloud().clearBehaviorRules();
        admin("/api/operations/resources/" + host.id() + "/retry").expect(204);

        Await.until(
                "the cloud has it back", () -> !product.cloud().freepool().contains(host.name()));
        Await.until("nothing is stuck", () -> stuck(host).isEmpty());
        admin("/api/operations/resources/" + host.id() + "/retry").expect(404);
    }

    @Test
    void an_operator_can_force_the_end_of_a_stuck_lease() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("end.remove_host", InjectedFault.BROKEN)
                                .onHost(host.name()));
        tenant.end(lease);
        tenant.awaitStatus(lease, "ERROR");

        admin("/api/operations/leases/" + lease.id() + "/force-end").expect(204);

        assertThat(tenant.status(lease)).isEqualTo("TERMINATED");
        Await.until("nothing is stuck", () -> stuck(lease).isEmpty());
    }

    /** Returns the stuck actions of one lease. */
    private List<JsonNode> stuck(Lease lease) {
        return stuck().filter(action -> action.path("lease_id").asString("").equals(lease.id()))
                .toList();
    }

    private Optional<JsonNode> stuck(Host host) {
        return stuck().filter(action -> action.path("resource_id").asString("").equals(host.id()))
                .findFirst();
    }

    private Stream<JsonNode> stuck() {
        return product.as("admin")
                .get("/api/operations/stuck")
                .expect(200)
                .path("actions")
                .valueStream();
    }
}
