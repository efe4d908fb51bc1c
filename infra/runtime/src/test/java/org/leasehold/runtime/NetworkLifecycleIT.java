package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.simulator.network.SimulatedNetwork;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Tests the lifecycle of a lease of a network, from the enrolment to the clean-up in the cloud. */
class NetworkLifecycleIT {

    private static final String KIND = "virtual:network";
    private static final String SEGMENT = "vlan/physnet1/1300";

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void an_active_lease_has_a_network_and_the_end_deletes_it() {
        assertThat(enrolled()).hasSize(4);
        Answer impossible = enrol("vlan/physnet1/4095");
        assertThat(impossible.status()).isEqualTo(400);
        JsonNode segment = enrol(SEGMENT).expect(201);
        assertThat(segment.at("/attributes/network_type").asString()).isEqualTo("vlan");
        assertThat(segment.at("/attributes/segment_id").asInt()).isEqualTo(1300);
        assertThat(enrol(SEGMENT).status()).isEqualTo(409);

        JsonNode accepted = ask(KIND, "lab").expect(201).path("lease");
        Lease lease = DemoProject.of(accepted);
        JsonNode reservation = accepted.path("reservations").path(0);
        assertThat(reservation.path("resource_type").asString()).isEqualTo(KIND);
        assertThat(reservation.path("network_name").asString()).isEqualTo("lab");
        tenant.awaitStatus(lease, "ACTIVE");
        SimulatedNetwork network = networks(lease).getFirst();
        assertThat(network.segment()).isEqualTo(Segment.fromName(SEGMENT).orElseThrow());
        assertThat(network.name()).isEqualTo("lab");
        assertThat(network.description()).isEqualTo("of room 7");
        assertThat(network.project().value()).isEqualTo(accepted.path("project_id").asString());

        assertThat(ask(KIND, "other").expect(409).path("error_message").asString())
                .isEqualTo("Not enough networks available");
        assertThat(rename(lease).expect(400).path("error_message").asString())
                .isEqualTo("Cannot change network_name of a reservation that has already started");

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(product.cloud().networks()).isEmpty();

        // The kind's name in the fork of Blazar that has such reservations.
        Lease next = DemoProject.of(ask("network", "next").expect(201).path("lease"));
        tenant.awaitStatus(next, "ACTIVE");
        assertThat(networks(next)).extracting(SimulatedNetwork::name).containsExactly("next");
        tenant.delete(next);
        Await.until("nothing is left", () -> product.cloud().networks().isEmpty());
    }

    private static List<JsonNode> enrolled() {
        return product.as("admin")
                .get("/api/resources?kind=" + KIND)
                .expect(200)
                .path("resources")
                .valueStream()
                .toList();
    }

    private static Answer enrol(String name) {
        return product.as("admin")
                .post(
                        "/api/resources",
                        Map.of("kind", KIND, "name", name, "capabilities", Map.of("room", "7")));
    }

    private static Answer ask(String kind, String name) {
        return tenant.askNow(
                Map.of(
                        "resource_type", kind,
                        "network_name", name,
                        "network_description", "of room 7",
                        "network_properties", "[\"==\", \"$physical_network\", \"physnet1\"]",
                        "resource_properties", "[\"==\", \"$room\", \"7\"]"));
    }

    private static Answer rename(Lease lease) {
        return tenant.changeReservation(lease, Map.of("network_name", "renamed"));
    }

    private static List<SimulatedNetwork> networks(Lease lease) {
        return product.cloud().networks().stream()
                .filter(network -> lease.reservation().equals(network.reservation()))
                .toList();
    }
}
