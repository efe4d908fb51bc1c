package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;

/** Tests running leases that get another host in place of one that has failed for a second. */
class ReplacedFailedHostsIT {

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder,
                        "leasehold.saga.watching=1s",
                        "leasehold.saga.replace-failed-after=1s");
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void another_host_replaces_the_failed_one_of_a_running_lease() {
        Lease lease = tenant.leaseNow(1, "");
        tenant.awaitStatus(lease, "ACTIVE");
        String host = host(lease);

        product.cloud().setHostUp(host, false);

        Await.found("its servers have moved", () -> tenant.event(lease, "ReservationAdjusted"));
        assertThat(host(lease)).isNotEqualTo(host);
        assertThat(show(lease).path("degraded").asBoolean()).isFalse();
        JsonNode adjusting =
                tenant.event(lease, "ReservationAdjusting").orElseThrow().path("details");
        assertThat(adjusting.at("/leaving/0/name").asString()).isEqualTo(host);
        assertThat(adjusting.at("/moves/0/from")).isEqualTo(adjusting.at("/leaving/0/resource"));
        assertThat(adjusting.at("/moves/0/to")).isEqualTo(adjusting.at("/joining/0"));
        product.cloud().setHostUp(host, true);
        tenant.delete(lease);
    }

    private static String host(Lease lease) {
        return show(lease).at("/reservations/0/allocations/0/name").asString();
    }

    private static JsonNode show(Lease lease) {
        return product.as("demo").get("/api/leases/" + lease.id()).expect(200);
    }
}
