package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tests the removal of reservations from leases, on the whole product. */
@Order(4)
class ReservationRemovalIT {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void a_removal_before_the_start_wakes_a_retried_request(@TempDir Path folder) {
        try (Product product = started(folder)) {
            DemoProject tenant = new DemoProject(product);
            Client demo = product.as("demo");
            Instant start = product.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.MINUTES);
            Lease lease =
                    DemoProject.of(demo.post("/api/leases", twoHosts(product, start)).expect(201));
            Map<String, Object> wish =
                    new LinkedHashMap<>(
                            DemoProject.timed(
                                    start, start.plus(HOUR), DemoProject.named("compute-1")));
            wish.put("if_unavailable", "retry");
            Lease waiting = DemoProject.of(demo.post("/api/leases", wish).expect(201));
            assertThat(tenant.status(waiting)).isEqualTo("CREATING");

            JsonNode changed = remove(demo, lease, lease.reservation()).expect(200);

            assertThat(changed.path("reservations")).hasSize(1);
            tenant.awaitStatus(waiting, "PENDING");
            assertThat(tenant.types(lease)).endsWith("ReservationRemoved", "ReservationReleased");
            assertThat(remove(demo, lease, idOf(changed, 0)).expect(409).path("type").asString())
                    .isEqualTo("/problems/last-reservation");
            assertThat(remove(demo, lease, lease.reservation()).expect(400).toString())
                    .contains("remove[0]");
            assertThat(product.verify()).isEmpty();
        }
    }

    @Test
    void a_running_reservation_is_exchanged_for_another_one(@TempDir Path folder) {
        try (Product product = started(folder)) {
            DemoProject tenant = new DemoProject(product);
            Client demo = product.as("demo");
            Lease lease =
                    DemoProject.of(demo.post("/api/leases", twoHosts(product, null)).expect(201));
            tenant.awaitStatus(lease, "ACTIVE");
            Instant removedAt = product.now();
            Map<String, Object> change =
                    Map.of(
                            "remove",
                            List.of(lease.reservation().toString()),
                            "further",
                            List.of(reservation("compute-3")));

            JsonNode changed = demo.patch("/api/leases/" + lease.id(), change).expect(200);

            assertThat(changed.at("/reservations/0/status").asString()).isEqualTo("to_be_ended");
            tenant.awaitStatus(lease, "ACTIVE");
            Await.until(
                    "it is released",
                    () -> tenant.isCleanedUp(lease, "compute-1") && reservations(demo, lease) == 2);
            assertThat(hosts(product, lease)).containsExactlyInAnyOrder("compute-2", "compute-3");
            assertThat(tenant.show(lease).expect(200).at("/lease/reservations")).hasSize(2);
            // The room of the removed host is free at once.
            Lease next = tenant.leaseUntil(removedAt.plus(HOUR), DemoProject.named("compute-1"));
            tenant.awaitStatus(next, "ACTIVE");
            tenant.delete(lease);
            tenant.awaitStatus(lease, "gone");
            assertThat(product.verify()).isEmpty();
        }
    }

    @Test
    void a_failed_removal_is_retried_while_the_lease_goes_on(@TempDir Path folder) {
        try (Product product = started(folder)) {
            DemoProject tenant = new DemoProject(product);
            Client demo = product.as("demo");
            Lease lease =
                    DemoProject.of(demo.post("/api/leases", twoHosts(product, null)).expect(201));
            tenant.awaitStatus(lease, "ACTIVE");
            product.cloud()
                    .addBehaviorRule(BehaviorRule.failing("end.*", InjectedFault.BROKEN).times(1));

            remove(demo, lease, lease.reservation()).expect(200);

            Await.until(
                    "it has failed",
                    () ->
                            show(demo, lease)
                                    .at("/reservations/0/status")
                                    .asString()
                                    .equals("error"));
            JsonNode failed = show(demo, lease);
            assertThat(failed.path("status").asString()).isEqualTo("active");
            assertThat(failed.path("explanation").asString()).contains("could not be removed");

            product.as("admin")
                    .post("/api/operations/leases/" + lease.id() + "/retry", Map.of())
                    .expect(204);

            Await.until("it is released", () -> reservations(demo, lease) == 1);
            assertThat(show(demo, lease).path("status").asString()).isEqualTo("active");
            assertThat(product.verify()).isEmpty();
        }
    }

    @Test
    void another_node_takes_a_removed_reservation_back(@TempDir Path folder) {
        try (Product product = started(folder);
                Product third = product.anotherNode(folder)) {
            Client demo = product.as("demo");
            Lease lease;
            try (Product second = product.anotherNode(folder)) {
                lease =
                        DemoProject.of(
                                demo.post("/api/leases", twoHosts(product, null)).expect(201));
                new DemoProject(product).awaitStatus(lease, "ACTIVE");
                product.cloud()
                        .addBehaviorRule(
                                BehaviorRule.failing("end.*", InjectedFault.UNAVAILABLE).times(2));
                remove(second.as("demo"), lease, lease.reservation()).expect(200);
            }

            Await.until("it is released", () -> reservations(demo, lease) == 1);

            assertThat(
                            product.cloud().effects(lease.reservation()).stream()
                                    .map(SimulatedCloud.Effect::operation)
                                    .filter("delete_aggregate"::equals))
                    .hasSize(1);
            assertThat(third.verify()).isEmpty();
        }
    }

    private static Product started(Path folder) {
        Product product = Product.start(folder);
        Await.until("all hosts are in the cloud", () -> product.cloud().freepool().size() == 4);
        return product;
    }

    /** Returns a request for two hosts in two reservations; from now on without a start. */
    private static Map<String, Object> twoHosts(Product product, @Nullable Instant start) {
        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("name", "two");
        if (start != null) {
            wish.put("start", start.toString());
            wish.put("end", start.plus(HOUR).toString());
        } else {
            wish.put("end", product.now().plus(Duration.ofHours(5)).toString());
        }
        wish.put("reservations", List.of(reservation("compute-1"), reservation("compute-2")));
        return wish;
    }

    private static Map<String, Object> reservation(String host) {
        return Map.of(
                "kind",
                "physical:host",
                "parameters",
                DemoProject.hostParameters(DemoProject.named(host)));
    }

    private static Client.Answer remove(Client client, Lease lease, ReservationId reservation) {
        return client.patch(
                "/api/leases/" + lease.id(), Map.of("remove", List.of(reservation.toString())));
    }

    private static ReservationId idOf(JsonNode lease, int index) {
        return ReservationId.of(lease.path("reservations").path(index).path("id").asString());
    }

    private static JsonNode show(Client client, Lease lease) {
        return client.get("/api/leases/" + lease.id()).expect(200);
    }

    private static int reservations(Client client, Lease lease) {
        return show(client, lease).path("reservations").size();
    }

    private static List<String> hosts(Product product, Lease lease) {
        return show(product.as("demo"), lease)
                .path("reservations")
                .valueStream()
                .map(reservation -> reservation.at("/allocations/0/name").asString())
                .toList();
    }
}
