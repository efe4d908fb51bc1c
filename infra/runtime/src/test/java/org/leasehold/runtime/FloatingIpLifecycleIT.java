package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.floatingip.SimulatedFloatingIp;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Tests the lifecycle of a lease of floating IPs, from the request to the clean-up in the cloud.
 */
class FloatingIpLifecycleIT {

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
    void an_active_lease_has_floating_ips_and_the_end_releases_them() {
        JsonNode enrolled =
                product.as("demo").get("/v1/floatingips").expect(200).path("floatingips");
        assertThat(enrolled).hasSize(4);
        String network = enrolled.path(0).path("floating_network_id").asString();
        String last = enrolled.path(3).path("floating_ip_address").asString();

        Lease lease = DemoProject.of(ask(network, 2, last).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(addresses(lease)).hasSize(2).contains(last);

        Answer refused = ask(network, 1, last);
        assertThat(refused.expect(400).path("error_message").asString())
                .isEqualTo("Not enough floating IPs available");
        String id = enrolled.path(3).path("id").asString();
        product.as("admin").delete("/v1/floatingips/" + id).expect(409);

        tenant.changeReservation(lease, Map.of("amount", 3)).expect(200);
        Await.until("there are three", () -> addresses(lease).size() == 3);
        assertThat(addresses(lease)).contains(last);

        JsonNode changed =
                tenant.changeReservation(lease, Map.of("required_floatingips", List.of()))
                        .expect(200)
                        .at("/lease/reservations/0");
        assertThat(changed.path("required_floatingips")).isEmpty();
        assertThat(addresses(lease)).hasSize(3).contains(last);

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(addresses(lease)).isEmpty();
        product.as("admin").delete("/v1/floatingips/" + id).expect(204);
    }

    private static Answer ask(String network, int amount, String required) {
        return product.as("demo")
                .post(
                        "/v1/leases",
                        Map.of(
                                "name",
                                "addresses",
                                "start_date",
                                "now",
                                "end_date",
                                DemoProject.minute(product.now().plus(Duration.ofHours(5))),
                                "reservations",
                                List.of(
                                        Map.of(
                                                "resource_type",
                                                "virtual:floatingip",
                                                "network_id",
                                                network,
                                                "amount",
                                                amount,
                                                "required_floatingips",
                                                List.of(required)))));
    }

    private static List<String> addresses(Lease lease) {
        return product.cloud().floatingIps().stream()
                .filter(ip -> lease.reservation().equals(ip.reservation()))
                .map(SimulatedFloatingIp::ip)
                .map(ip -> ip.address())
                .toList();
    }
}
