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
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the lifecycle of leases that reservations join, and of servers with a lease tag. */
class LeaseTagLifecycleIT {

    private static final ComputeCapacity SMALL = new ComputeCapacity("nova", 2, 4096, 20);
    private static final UserId AUTHOR = new UserId("author");

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder, "leasehold.saga.petitions=true", "leasehold.saga.watching=1s");
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void hosts_added_to_an_active_lease_are_released_at_the_end() {
        Lease lease = tenant.leaseNow(1, "");
        tenant.awaitStatus(lease, "ACTIVE");

        JsonNode joined =
                product.as("demo")
                        .patch(
                                "/api/leases/" + lease.id(),
                                Map.of(
                                        "further",
                                        List.of(
                                                Map.of(
                                                        "kind",
                                                        "physical:host",
                                                        "parameters",
                                                        DemoProject.hostParameters("")))))
                        .expect(200);
        Lease joiner =
                new Lease(lease.id(), ReservationId.of(joined.at("/reservations/1/id").asString()));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).hasSize(1);
        assertThat(tenant.hostsOf(joiner))
                .hasSize(1)
                .doesNotContainAnyElementsOf(tenant.hostsOf(lease));
        assertThat(tenant.types(lease)).contains("ReservationAdded");

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(tenant.isCleanedUp(joiner)).isTrue();
        assertThat(tenant.isCleanedUp(lease)).isTrue();
    }

    @Test
    void a_tagged_server_is_shelved_until_the_lease_starts_and_leased_once() {
        UUID server = create("with terms");
        Instant start = product.now().plus(Duration.ofHours(1));
        write(
                server,
                "lease_params",
                "{\"name\": \"written\", \"start\": \"%s\", \"end\": \"%s\"}"
                        .formatted(start, start.plus(Duration.ofHours(1))));

        Await.until("it has a lease", () -> !named("written").isEmpty());
        Lease lease = DemoProject.of(named("written").getFirst());
        Await.until("it is shelved", () -> now(server).state() == State.SHELVED_OFFLOADED);
        assertThat(tenant.history(lease).getFirst().path("user_id").asString())
                .isEqualTo(AUTHOR.value());
        tenant.change(lease, Map.of("start_date", "now")).expect(200);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(now(server).reservation()).isEqualTo(lease.reservation());
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(named("written")).hasSize(1);
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
    }

    @Test
    void a_server_joins_the_lease_that_the_lease_tag_names() {
        Lease lease = tenant.leaseNow(1, "");
        tenant.awaitStatus(lease, "ACTIVE");
        UUID server = create("joining");

        write(server, "lease_id", lease.id());

        Await.until("it is the lease's", () -> now(server).reservation() != null);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.show(lease).expect(200).at("/lease/reservations/1/server_id").asString())
                .isEqualTo(server.toString());
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
    }

    @Test
    void an_invalid_lease_tag_gets_an_error_message_on_the_server() {
        UUID server = create("asking too much");
        write(server, "lease_id", UUID.randomUUID().toString());
        Await.until(
                "the tag names the error",
                () -> leaseError(server).startsWith("There is no lease"));

        write(server, "lease_params", "{\"end\": \"2020-01-01 00:00\"}");
        Await.until("the tag names the next error", () -> leaseError(server).startsWith("end is"));

        assertThat(now(server).state()).isEqualTo(State.ACTIVE);
    }

    private static String leaseError(UUID server) {
        return product.cloud().metadata(server).getOrDefault("lease_error", "");
    }

    private static void write(UUID server, String key, String text) {
        product.cloud().setMetadata(server, AUTHOR, Map.of(key, text));
    }

    private static List<JsonNode> named(String name) {
        return product.as("demo")
                .get("/api/leases?limit=100")
                .expect(200)
                .path("leases")
                .valueStream()
                .filter(lease -> lease.path("name").asString().equals(name))
                .toList();
    }

    private static UUID create(String name) {
        Lease lease = tenant.leaseNow(1, "");
        String project = tenant.show(lease).expect(200).at("/lease/project_id").asString();
        tenant.delete(lease);
        return product.cloud().createServer(name, new ProjectId(project), SMALL, State.ACTIVE);
    }

    private static SimulatedServer now(UUID id) {
        return product.cloud().zoneServers().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
