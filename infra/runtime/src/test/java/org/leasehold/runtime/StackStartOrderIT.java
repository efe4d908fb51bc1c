package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tests the order in which the reservations of a lease start, and failed starts. */
class StackStartOrderIT extends StackLifecycleFixture {

    @Test
    void reservations_start_in_the_order_of_their_kinds() {
        JsonNode created = product.as("demo").post("/api/leases", severalKinds()).expect(201);
        Lease lease = DemoProject.of(created);
        tenant.awaitStatus(lease, "ACTIVE");
        List<String> started = kindsOf(created, lease, "ReservationActivated");
        assertThat(started.subList(0, 3))
                .containsExactlyInAnyOrder("physical:host", "virtual:network", "virtual:volume");
        assertThat(started.subList(3, 5)).containsExactly("virtual:floatingip", KIND);

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(kindsOf(created, lease, "ReservationReleased")).hasSize(5);
        assertThat(product.cloud().networks()).isEmpty();
    }

    @Test
    void a_failed_start_keeps_what_runs_until_an_operator_retries_it() {
        failStartsOfNetworks();
        JsonNode created = product.as("demo").post("/api/leases", severalKinds()).expect(201);
        Lease lease = DemoProject.of(created);
        tenant.awaitStatus(lease, "ERROR");
        Await.until(
                "the others have started",
                () -> kindsOf(created, lease, "ReservationActivated").size() == 2);
        assertThat(kindsOf(created, lease, "ReservationActivated"))
                .containsExactlyInAnyOrder("physical:host", "virtual:volume");
        JsonNode failed = product.as("demo").get("/api/leases/" + lease.id()).expect(200);
        assertThat(failed.path("status").asString()).isEqualTo("error");
        assertThat(failed.at("/reservations/0/status").asString()).isEqualTo("inactive");

        product.cloud().clearBehaviorRules();
        product.as("admin")
                .post("/api/operations/leases/" + lease.id() + "/retry", Map.of())
                .expect(204);

        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(kindsOf(created, lease, "ReservationActivated").subList(2, 5))
                .containsExactly("virtual:network", "virtual:floatingip", KIND);
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_failed_start_releases_the_lease_if_the_request_says_so() {
        failStartsOfNetworks();
        Map<String, Object> request = new HashMap<>(severalKinds());
        request.put("on_failure", "release");
        JsonNode created = product.as("demo").post("/api/leases", request).expect(201);
        Lease lease = DemoProject.of(created);

        tenant.awaitStatus(lease, "TERMINATED");

        product.cloud().clearBehaviorRules();
        JsonNode ended = product.as("demo").get("/api/leases/" + lease.id()).expect(200);
        assertThat(ended.path("status").asString()).isEqualTo("ended");
        assertThat(ended.path("explanation").asString()).contains("could not be started");
        assertThat(tenant.event(lease, "LeaseEnded").orElseThrow().at("/details/cause").asString())
                .isEqualTo("START_FAILED");
        assertThat(kindsOf(created, lease, "ReservationReleased")).hasSize(5);
        assertThat(product.cloud().networks()).isEmpty();
        assertThat(stackOf(lease)).isEmpty();
        assertThat(tenant.hostsOf(lease)).isEmpty();
    }

    private void failStartsOfNetworks() {
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.create_network", InjectedFault.BROKEN));
    }

    /** Returns the kinds of the reservations with events of a type, in the order of the events. */
    private List<String> kindsOf(JsonNode created, Lease lease, String type) {
        Map<String, String> kinds = new HashMap<>();
        created.path("reservations")
                .forEach(
                        each ->
                                kinds.put(
                                        each.path("id").asString(), each.path("kind").asString()));
        return tenant.history(lease).stream()
                .filter(event -> event.path("type").asString().equals(type))
                .map(event -> event.findValue("reservationId").asString())
                .map(id -> kinds.getOrDefault(id, id))
                .toList();
    }

    /** Returns a request for reservations of several kinds, the last to start first. */
    private Map<String, Object> severalKinds() {
        Map<String, Object> request = new HashMap<>();
        request.put("name", "laboratory");
        request.put("end", product.now().plus(Duration.ofHours(5)).toString());
        request.put(
                "reservations",
                List.of(
                        part(KIND, Map.of("template", template(Map.of("disk", volume("gold", 1))))),
                        part("virtual:floatingip", Map.of("network_id", NETWORK, "amount", 1)),
                        part("virtual:network", Map.of("network_name", "laboratory")),
                        part("virtual:volume", Map.of("volume_type", "gold", "size", 1)),
                        part("physical:host", Map.of("min", 1, "max", 1))));
        return request;
    }
}
