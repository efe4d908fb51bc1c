package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.server.SimulatedServer;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Tests the lifecycle of leases of servers that already belong to their project. */
class ServerLifecycleIT {

    private static final String KIND = "virtual:server";
    private static final ComputeCapacity SMALL = new ComputeCapacity("nova", 2, 4096, 20);

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
    void a_server_is_shelved_before_the_start_and_after_the_end() {
        UUID server = create(SMALL);
        JsonNode accepted =
                askFor(server, product.now().plus(Duration.ofHours(1)), Map.of()).expect(201);
        Lease lease = DemoProject.of(accepted);
        JsonNode parameters = accepted.at("/reservations/0/parameters");
        assertThat(parameters.at("/server/availability_zone").asString()).isEqualTo("nova");
        assertThat(parameters.path("on_end").asString()).isEqualTo("shelve");
        Await.until("it is shelved", () -> now(server).state() == State.SHELVED_OFFLOADED);
        tenant.change(lease, Map.of("start_date", "now")).expect(200);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(now(server).state()).isEqualTo(State.ACTIVE);
        assertThat(now(server).reservation()).isEqualTo(lease.reservation());

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
        assertThat(now(server).reservation()).isNull();
    }

    @Test
    void a_lease_deleted_before_the_start_releases_the_shelved_server() {
        UUID server = create(SMALL);
        Lease lease =
                DemoProject.of(
                        askFor(server, product.now().plus(Duration.ofHours(1)), Map.of())
                                .expect(201));
        Await.until("it is shelved", () -> now(server).state() == State.SHELVED_OFFLOADED);

        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");

        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
        assertThat(now(server).reservation()).isNull();
    }

    @Test
    void a_server_leased_now_stays_up_and_ends_by_the_changed_on_end() {
        UUID server = create(SMALL);
        Lease lease = DemoProject.of(tenant.askNow(wish(server)).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(product.cloud().effects(lease.reservation()))
                .noneMatch(effect -> effect.operation().equals("shelve_server"));

        tenant.changeReservation(lease, Map.of("on_end", "stop")).expect(200);
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(now(server).state()).isEqualTo(State.SHUTOFF);
    }

    @Test
    void a_lease_beyond_the_capacity_of_a_zone_is_refused() {
        product.as("admin")
                .post("/api/resources", Map.of("kind", KIND, "name", "west"))
                .expect(201);
        ComputeCapacity half = new ComputeCapacity("west", 5, 1024, 10);
        Lease lease = DemoProject.of(tenant.askNow(wish(create(half))).expect(201).path("lease"));

        assertThat(tenant.askNow(wish(create(half))).expect(409).toString())
                .contains("Not enough availability zones available");

        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void only_servers_of_the_project_are_leased() {
        UUID theirs =
                product.cloud().createServer("web", new ProjectId("theirs"), SMALL, State.ACTIVE);
        assertThat(tenant.askNow(wish(theirs)).expect(404).toString())
                .contains("Server " + theirs + " could not be found.");
        assertThat(tenant.askNow(Map.of("resource_type", KIND)).expect(400).toString())
                .contains("Missing parameter server_id");
    }

    private static UUID create(ComputeCapacity room) {
        return product.cloud().createServer("web", new ProjectId(project()), room, State.ACTIVE);
    }

    private static String project() {
        Lease lease = tenant.leaseNow(1, "");
        String project = tenant.show(lease).expect(200).at("/lease/project_id").asString();
        tenant.delete(lease);
        return project;
    }

    private static Map<String, Object> wish(UUID server) {
        return Map.of("resource_type", KIND, "server_id", server.toString());
    }

    private static Answer askFor(UUID server, Instant start, Map<String, Object> more) {
        Map<String, Object> parameters = new HashMap<>(more);
        parameters.put("server_id", server.toString());
        return product.as("demo")
                .post(
                        "/api/leases",
                        DemoProject.request(
                                "later", start, start.plus(Duration.ofHours(1)), KIND, parameters));
    }

    private static SimulatedServer now(UUID id) {
        return product.cloud().zoneServers().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
