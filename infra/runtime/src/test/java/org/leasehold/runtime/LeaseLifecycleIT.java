package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tests the lifecycle of leases, from the HTTP request to the clean-up in the cloud. */
class LeaseLifecycleIT extends LeaseLifecycleFixture {

    @Test
    void a_lease_that_starts_now_has_a_host_until_it_is_deleted() {
        Host host = enrol();

        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(host.name());
        assertThat(product.cloud().freepool()).doesNotContain(host.name());

        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
        assertThat(tenant.types(lease))
                .containsExactly(
                        "LeaseRequested",
                        "ReservationGranted",
                        "LeaseStarting",
                        "ReservationActivated",
                        "LeaseActivated",
                        "LeaseEnding",
                        "ReservationReleased",
                        "LeaseEnded",
                        "LeaseDeleted");
    }

    /** Blazar's clients boot servers with the response to a creation, without another query. */
    @Test
    void the_response_for_an_immediate_lease_contains_the_cloud_ids() {
        Map<String, Object> apart =
                new HashMap<>(DemoProject.instances(1, 1, DemoProject.named(enrol().name())));
        apart.put("affinity", "False");
        for (Map<String, Object> asked :
                List.of(apart, DemoProject.hosts(1, 1, DemoProject.named(enrol().name())))) {
            JsonNode lease = tenant.askNow(asked).expect(201).path("lease");
            JsonNode reservation = lease.path("reservations").path(0);

            assertThat(reservation.path("aggregate_id").isInt()).as(lease.toString()).isTrue();
            if (asked == apart) {
                assertThat(UUID.fromString(reservation.path("server_group_id").asString()))
                        .isNotNull();
            }
            Lease created = DemoProject.of(lease);
            tenant.awaitStatus(created, "ACTIVE");
            for (String id : List.of("aggregate_id", "server_group_id")) {
                assertThat(reservation.path(id))
                        .isEqualTo(tenant.show(created).body().at("/lease/reservations/0/" + id));
            }
            tenant.delete(created);
            tenant.awaitStatus(created, "gone");
        }
    }

    @Test
    void one_of_many_concurrent_changes_of_a_version_succeeds() {
        Host host = enrol();
        Instant start = product.now().plus(LONG);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(host.name()));
        Client http = product.as("demo");
        String path = "/api/leases/" + lease.id();

        for (int round = 0; round < 5; round++) {
            // A repeated name would be no change, and could not conflict.
            String prefix = round + "-";
            String seen = "\"" + http.get(path).expect(200).path("version").asLong() + "\"";
            Map<Integer, List<String>> answers =
                    IntStream.range(0, 16)
                            .parallel()
                            .mapToObj(
                                    racer ->
                                            http.patchIfMatch(
                                                    path, seen, Map.of("name", prefix + racer)))
                            .collect(
                                    Collectors.groupingBy(
                                            Answer::status,
                                            Collectors.mapping(
                                                    a -> a.body().path("name").asString(),
                                                    Collectors.toList())));
            assertThat(answers).containsOnlyKeys(200, 412);
            assertThat(answers.get(200)).hasSize(1);
            assertThat(http.get(path).body().path("name").asString())
                    .isEqualTo(answers.get(200).getFirst());
        }
    }

    @Test
    void a_lease_ends_at_the_end_of_the_window() {
        Host host = enrol();
        Instant end = product.now().plus(HOUR);

        Lease lease = tenant.leaseUntil(end, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        clock.set(end);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
        assertThat(
                        tenant.show(lease)
                                .body()
                                .path("lease")
                                .path("events")
                                .valueStream()
                                .filter(e -> e.path("event_type").asString().equals("end_lease")))
                .allSatisfy(e -> assertThat(e.path("status").asString()).isEqualTo("DONE"))
                .hasSize(1);
    }

    @Test
    void an_early_end_frees_the_calendar_before_the_host() {
        Host host = enrol();
        Lease first = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(first, "ACTIVE");
        product.gate().close(PluginGate.Action.END);

        tenant.end(first);
        Lease second = tenant.leaseNow(1, DemoProject.named(host.name()));
        assertThat(tenant.hostsOf(first)).containsExactly(host.name());
        product.gate().open();

        tenant.awaitStatus(first, "TERMINATED");
        tenant.awaitStatus(second, "ACTIVE");
        assertThat(tenant.hostsOf(first)).isEmpty();
        assertThat(tenant.hostsOf(second)).containsExactly(host.name());
    }

    @Test
    void instances_of_several_leases_share_a_host_up_to_the_capacity() {
        Host host = enrol();
        Lease one = DemoProject.of(askForInstances(1, host).expect(201).path("lease"));
        Lease other = DemoProject.of(askForInstances(1, host).expect(201).path("lease"));
        assertThat(askForInstances(1, host).text()).contains("Not enough hosts available");
        assertThat(tenant.askNow(DemoProject.hosts(1, 1, DemoProject.named(host.name()))).text())
                .contains("Not enough hosts available");
        tenant.awaitStatus(one, "ACTIVE");
        tenant.awaitStatus(other, "ACTIVE");
        assertThat(slotsOn(host)).containsOnly(slots(one, host, 1), slots(other, host, 1));
        assertThat(product.cloud().freepool()).contains(host.name());

        tenant.delete(other);
        Await.until("the slot is free", () -> slotsOn(host).size() == 1);
        tenant.changeReservation(one, Map.of("amount", 2)).expect(200);
        Await.until("the slots are two", () -> slotsOn(host).contains(slots(one, host, 2)));
        JsonNode shown = tenant.show(one).expect(200).path("lease").path("reservations").path(0);
        assertThat(shown.path("flavor_id").asString()).isEqualTo(one.reservation().toString());
        assertThat(shown.path("amount").asInt()).isEqualTo(2);
        assertThat(
                        product.as("demo")
                                .get("/api/leases/" + one.id())
                                .expect(200)
                                .at("/reservations/0/allocations/0/slots")
                                .asInt())
                .isEqualTo(2);

        tenant.delete(one);
        Await.until("nothing is left", () -> slotsOn(host).isEmpty());
        Lease whole = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(whole, "ACTIVE");
    }

    /** Requests instances, of which a host has room for two. */
    private Answer askForInstances(int amount, Host host) {
        int cores =
                product.as("admin")
                        .get("/v1/os-hosts/" + host.id())
                        .expect(200)
                        .at("/host/vcpus")
                        .asInt();
        return tenant.askNow(
                DemoProject.instances(amount, cores / 2, DemoProject.named(host.name())));
    }

    private List<SimulatedCloud.Slots> slotsOn(Host host) {
        return product.cloud().slots().stream()
                .filter(slots -> slots.host().equals(host.name()))
                .toList();
    }

    private static SimulatedCloud.Slots slots(Lease lease, Host host, int count) {
        return new SimulatedCloud.Slots(lease.reservation(), host.name(), count);
    }

    @Test
    void a_lease_with_the_end_changed_to_now_ends() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");

        // An end in a past minute would be rejected.
        clock.toStartOfMinute();
        product.as("demo")
                .patch("/api/leases/" + lease.id(), Map.of("end", product.now().toString()))
                .expect(200);

        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void a_running_lease_grows_and_shrinks_in_the_cloud() {
        String rack = UUID.randomUUID().toString();
        Host one = enrol(Map.of("rack", rack));
        Host other = enrol(Map.of("rack", rack));
        Lease lease = tenant.leaseNow(1, "[\"==\", \"$rack\", \"" + rack + "\"]");
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(one.name());

        resize(lease, 2).expect(200);
        Await.until("both hosts are there", () -> tenant.hostsOf(lease).size() == 2);
        assertThat(tenant.hostsOf(lease)).containsExactlyInAnyOrder(one.name(), other.name());
        awaitEvents(lease, "ReservationAdjusted", 1);

        resize(lease, 3).expect(409);
        assertThat(tenant.status(lease)).isEqualTo("ACTIVE");

        resize(lease, 1).expect(200);
        awaitEvents(lease, "ReservationAdjusted", 2);
        assertThat(tenant.hostsOf(lease)).hasSize(1);
        assertThat(product.cloud().freepool()).containsAnyOf(one.name(), other.name());
    }

    @Test
    void a_delayed_lease_starts_after_the_release_and_names_the_predecessor() {
        HandOver handOver = delayHandOver();
        product.gate().open();

        tenant.awaitStatus(handOver.second(), "ACTIVE");

        JsonNode delayed = tenant.event(handOver.second(), "LeaseDelayed").orElseThrow();
        JsonNode released = tenant.event(handOver.first(), "ReservationReleased").orElseThrow();
        JsonNode starting = tenant.event(handOver.second(), "LeaseStarting").orElseThrow();
        assertThat(delayed.path("details").path("awaited").valueStream().map(JsonNode::asString))
                .containsExactly(handOver.first().reservation().toString());
        assertThat(delayed.path("details").path("reason").asString())
                .contains(handOver.host().name());
        assertThat(starting.path("position").asLong())
                .isGreaterThan(released.path("position").asLong());
        assertThat(tenant.hostsOf(handOver.second())).containsExactly(handOver.host().name());
    }

    @Test
    void overdue_starts_and_ends_run_after_a_restart() {
        Host ended = enrol();
        Host begun = enrol();
        Host kept = enrol();
        Host missed = enrol();
        Instant boundary = product.now().plus(HOUR);
        Lease ending = tenant.leaseUntil(boundary, DemoProject.named(ended.name()));
        Lease starting =
                tenant.lease(boundary, boundary.plus(LONG), DemoProject.named(begun.name()));
        Lease running = tenant.leaseNow(1, DemoProject.named(kept.name()));
        Lease over =
                tenant.lease(
                        boundary,
                        boundary.plus(Duration.ofMillis(1)),
                        DemoProject.named(missed.name()));
        tenant.awaitStatus(ending, "ACTIVE");
        tenant.awaitStatus(running, "ACTIVE");

        product.close();
        clock.set(boundary.plusSeconds(1));
        start();

        tenant.awaitStatus(ending, "TERMINATED");
        tenant.awaitStatus(starting, "ACTIVE");
        tenant.awaitStatus(over, "TERMINATED");
        assertThat(tenant.status(running)).isEqualTo("ACTIVE");
        assertThat(tenant.isCleanedUp(ending, ended.name())).isTrue();
        assertThat(tenant.hostsOf(starting)).containsExactly(begun.name());
        assertThat(tenant.hostsOf(running)).containsExactly(kept.name());
        assertThat(tenant.types(over)).doesNotContain("LeaseStarting");
        assertThat(
                        tenant.event(over, "LeaseEnded")
                                .orElseThrow()
                                .path("details")
                                .path("cause")
                                .asString())
                .isEqualTo("MISSED");
    }

    private Answer resize(Lease lease, int hosts) {
        return tenant.changeReservation(lease, Map.of("min", hosts, "max", hosts));
    }

    private void awaitEvents(Lease lease, String type, int count) {
        Await.until(
                () -> count + " times " + type + ", not " + tenant.types(lease),
                () -> tenant.types(lease).stream().filter(type::equals).count() == count);
    }
}
