package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.server.SimulatedServer;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the lifecycle of default leases: of servers that their owners created without a lease. */
class DefaultLeaseLifecycleIT {

    private static final ComputeCapacity SMALL = new ComputeCapacity("nova", 2, 4096, 20);
    private static final ComputeCapacity TOO_LARGE = new ComputeCapacity("nova", 65, 1, 1);
    private static final UserId CREATOR = new UserId("creator");
    private static final Duration PERIOD = Duration.ofDays(30);

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder,
                        "leasehold.default-leases.enabled=true",
                        "leasehold.default-leases.projects=all",
                        "leasehold.default-leases.exempt-metadata=keep",
                        "leasehold.default-leases.polling=1s");
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void a_server_gets_one_lease_that_the_owner_prolongs() {
        Instant before = product.now();
        UUID server = create(SMALL, Map.of());
        Await.until("it has a lease", () -> !leasesOf(server).isEmpty());
        Lease lease = DemoProject.of(leasesOf(server).getFirst());
        tenant.awaitStatus(lease, "ACTIVE");
        JsonNode shown = leasesOf(server).getFirst();
        assertThat(shown.path("user_id").asString()).isEqualTo(CREATOR.value());
        assertThat(Instant.parse(shown.path("end").asString()))
                .isBetween(before.plus(PERIOD), product.now().plus(PERIOD));
        assertThat(now(server).state()).isEqualTo(State.ACTIVE);
        assertThat(report(server).path("verdict").asString()).isEqualTo("leased");
        assertThat(report(server).path("lease_id").asString()).isEqualTo(lease.id());

        Instant end = product.now().plus(PERIOD).plus(PERIOD);
        product.as("demo")
                .patch("/api/leases/" + lease.id(), Map.of("end", end.toString()))
                .expect(200);
        product.clock().set(end.minus(Duration.ofDays(2)));
        Await.until("the owner is warned", () -> tenant.types(lease).contains("LeaseEndAnnounced"));
        assertThat(now(server).state()).isEqualTo(State.ACTIVE);
        product.clock().set(end);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
        assertThat(product.cloud().effects(lease.reservation()))
                .filteredOn(effect -> effect.operation().equals("shelve_server"))
                .hasSize(1);
        assertThat(leasesOf(server)).hasSize(1);
        assertThat(report(server).path("reason").asString()).isEqualTo("The server is shelved");
    }

    @Test
    void a_server_beyond_the_capacity_of_the_zone_is_reported() {
        UUID server = create(TOO_LARGE, Map.of());

        Await.until(
                "the refusal is reported",
                () -> report(server).path("verdict").asString().equals("refused"));

        assertThat(report(server).path("reason").asString()).startsWith("There is no room");
        assertThat(report(server).path("next_attempt_at").isString()).isTrue();
        assertThat(leasesOf(server)).isEmpty();
    }

    @Test
    void an_exempt_server_gets_no_lease() {
        UUID exempt = create(SMALL, Map.of("keep", "yes"));
        UUID other = create(SMALL, Map.of());

        Await.until("the other server has a lease", () -> !leasesOf(other).isEmpty());

        assertThat(leasesOf(exempt)).isEmpty();
        assertThat(report(exempt).path("verdict").asString()).isEqualTo("exempt");
    }

    @Test
    void the_lease_of_a_deleted_server_ends() {
        UUID server = create(SMALL, Map.of());
        Await.until("it has a lease", () -> !leasesOf(server).isEmpty());
        Lease lease = DemoProject.of(leasesOf(server).getFirst());
        tenant.awaitStatus(lease, "ACTIVE");

        product.cloud().deleteServer(server);

        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(tenant.event(lease, "LeaseEnding").orElseThrow().toString())
                .contains("The server was deleted");
    }

    private static JsonNode report(UUID server) {
        return product.as("admin")
                .get("/api/operations/default-leases")
                .expect(200)
                .path("servers")
                .valueStream()
                .filter(each -> each.path("server_id").asString().equals(server.toString()))
                .findFirst()
                .orElseThrow();
    }

    private static List<JsonNode> leasesOf(UUID server) {
        return product.as("demo")
                .get("/api/leases?limit=100")
                .expect(200)
                .path("leases")
                .valueStream()
                .filter(
                        lease ->
                                lease.at("/reservations/0/parameters/server_id")
                                        .asString("")
                                        .equals(server.toString()))
                .toList();
    }

    private static UUID create(ComputeCapacity room, Map<String, String> metadata) {
        String project =
                product.as("demo").get("/api/me").expect(200).path("project_id").asString();
        // An exempt server has its metadata before a poll sees it.
        UUID server =
                product.cloud()
                        .createServer("web", new ProjectId(project), room, State.SHELVED_OFFLOADED);
        product.cloud().setMetadata(server, CREATOR, metadata);
        product.cloud().setServerState(server, State.ACTIVE);
        return server;
    }

    private static SimulatedServer now(UUID id) {
        return product.cloud().zoneServers().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
