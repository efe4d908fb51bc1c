package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Tests the dry run of default leases, the first poll after it, and three nodes that poll. */
class DefaultLeaseActivationIT {

    private static final String PROJECTS = "leasehold.default-leases.projects=demo";
    private static final String[] NODE_SETTINGS = {
        PROJECTS, "leasehold.default-leases.enabled=true", "leasehold.default-leases.polling=1s"
    };
    private static final ProjectId DEMO = new ProjectId("demo");
    private static final ComputeCapacity ROOM = new ComputeCapacity("nova", 2, 4096, 20);
    private static final int SERVERS = 10;

    @Test
    void a_server_of_the_dry_run_gets_a_full_period_from_the_activation(@TempDir Path folder) {
        AdjustableClock clock = new AdjustableClock();
        try (Product product = Product.start(folder, clock, PROJECTS)) {
            ProjectId other = new ProjectId("other");
            product.cloud().createServer("web", DEMO, ROOM, State.ACTIVE);
            product.cloud().createServer("web", other, ROOM, State.ACTIVE);
            JsonNode report = report(product);
            assertThat(report.path("enabled").asBoolean()).isFalse();
            assertThat(verdict(report, "demo")).isEqualTo("affected");
            assertThat(verdict(report, "other")).isEqualTo("exempt");
            assertThat(leases(product)).isEmpty();
        }

        clock.step(Duration.ofDays(60));
        Instant activation = clock.instant();
        try (Product product =
                Product.start(
                        folder,
                        clock,
                        PROJECTS,
                        "leasehold.default-leases.enabled=true",
                        "leasehold.default-leases.period=P7D",
                        "leasehold.default-leases.polling=1s")) {
            Await.until("the server has a lease", () -> !leases(product).isEmpty());
            assertThat(leases(product)).hasSize(1);
            assertThat(Instant.parse(leases(product).at("/0/end").asString()))
                    .isAfterOrEqualTo(activation.plus(Duration.ofDays(7)));
            assertThat(verdict(report(product), "demo")).isEqualTo("leased");
            assertThat(verdict(report(product), "other")).isEqualTo("exempt");
        }
    }

    @Test
    void three_nodes_request_one_lease_for_each_server(@TempDir Path folder) {
        try (Product product = Product.start(folder, NODE_SETTINGS);
                Product second = product.anotherNode(folder, NODE_SETTINGS);
                Product third = product.anotherNode(folder, NODE_SETTINGS)) {
            for (int i = 0; i < SERVERS; i++) {
                product.cloud().createServer("web", DEMO, ROOM, State.ACTIVE);
            }
            Await.until("each server has a lease", () -> leasedServers(product).size() >= SERVERS);
            // Each node polls again, now that all servers have leases.
            product.clock().step(Duration.ofHours(1));
            product.cloud().createServer("last", DEMO, ROOM, State.ACTIVE);
            Await.until("the last server, too", () -> leasedServers(product).size() > SERVERS);

            assertThat(leasedServers(product)).hasSize(SERVERS + 1).doesNotHaveDuplicates();
            assertThat(report(second)).isEqualTo(report(third));
        }
    }

    private static List<String> leasedServers(Product product) {
        return leases(product)
                .valueStream()
                .map(lease -> lease.at("/reservations/0/parameters/server_id").asString())
                .toList();
    }

    private static JsonNode report(Product product) {
        return product.as("admin").get("/api/operations/default-leases").expect(200);
    }

    private static String verdict(JsonNode report, String project) {
        return report.path("servers")
                .valueStream()
                .filter(server -> server.path("project_id").asString().equals(project))
                .findFirst()
                .orElseThrow()
                .path("verdict")
                .asString();
    }

    private static JsonNode leases(Product product) {
        return product.as("admin").get("/api/leases").expect(200).path("leases");
    }
}
