package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Tests leases that have not started, and whose hosts go out of service. */
class ReplacedResourcesIT {

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product = Product.start(folder, "leasehold.saga.watching=1s");
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void a_pending_lease_moves_from_a_disabled_host_at_once() {
        Lease lease = pending(2);
        String host = host(lease);
        String path =
                "/api/resources/"
                        + tenant.event(lease, "ReservationGranted")
                                .orElseThrow()
                                .at("/details/allocations/0/resource")
                                .asString();

        product.as("admin").post(path + "/disable", Map.of("reason", "new fans")).expect(200);

        assertThat(awaitMove(lease, host)).isEqualTo(host + " is out of service: new fans");
        assertThat(show(lease).path("explanation").asString())
                .isEqualTo(host + " is out of service: new fans; " + host(lease) + " replaces it.");
        product.as("admin").post(path + "/enable", Map.of()).expect(200);
        tenant.delete(lease);
    }

    @Test
    void a_pending_lease_moves_from_a_host_that_fails_and_a_running_one_stays() {
        Lease running = tenant.leaseNow(1, "");
        tenant.awaitStatus(running, "ACTIVE");
        String host = host(running);
        Lease lease =
                DemoProject.of(
                        product.as("demo")
                                .post("/api/leases", DemoProject.timed(hours(6), hours(8), ""))
                                .expect(201));
        assertThat(host(lease)).isEqualTo(host);

        product.cloud().setHostUp(host, false);

        assertThat(awaitMove(lease, host)).startsWith(host + " is out of service: ");
        Await.until("it is degraded", () -> degraded(running));
        assertThat(host(running)).isEqualTo(host);
        product.cloud().setHostUp(host, true);
        Await.until("it is back", () -> !degraded(running));
        tenant.delete(lease);
        tenant.delete(running);
    }

    private static Lease pending(int from) {
        return tenant.lease(hours(from), hours(from + 1), "");
    }

    private static Instant hours(int number) {
        return product.now().plus(Duration.ofHours(number));
    }

    /** Waits until the lease has another host, and returns the reason in its history. */
    private static String awaitMove(Lease lease, String from) {
        JsonNode event =
                Await.found("the replacement", () -> tenant.event(lease, "ResourceReplaced"));
        Await.until("it has another host", () -> !host(lease).equals(from));
        return event.at("/details/reason").asString();
    }

    private static String host(Lease lease) {
        return show(lease).at("/reservations/0/allocations/0/name").asString();
    }

    private static boolean degraded(Lease lease) {
        return show(lease).path("degraded").asBoolean();
    }

    private static JsonNode show(Lease lease) {
        return product.as("demo").get("/api/leases/" + lease.id()).expect(200);
    }
}
