package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.PluginJar;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Tests a separately built jar in the folder of plug-ins: the whole lifecycle of a lease of its
 * kind.
 */
class SamplePluginIT {

    private static final String PARKING_SPACE = "sample:parking-space";
    private static final String HOME = "../tools/sample-plugin";

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() throws IOException {
        Path jar = PluginJar.build(Path.of(HOME), Files.createDirectory(folder.resolve("plugin")));
        product =
                Product.start(
                        folder.resolve("data"),
                        "leasehold.plugins.folder=" + jar.getParent(),
                        "leasehold.plugins.parking.file=" + log());
        tenant = new DemoProject(product);
        for (String space : List.of("space-1", "space-2", "space-3")) {
            enrol(space);
        }
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void a_lease_of_an_external_plugin_gets_resources_and_releases_them() throws IOException {
        Lease lease = DemoProject.of(ask(2, false).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(Files.readAllLines(log()))
                .containsExactly(
                        "given space-1 " + lease.reservation(),
                        "given space-2 " + lease.reservation());

        // Two of three spaces are taken: the remaining one has no roof.
        assertThat(ask(2, false).status()).isEqualTo(409);
        assertThat(ask(1, true).status()).isEqualTo(409);
        Answer unclear = ask(101, false);
        assertThat(unclear.status()).isEqualTo(400);
        assertThat(unclear.text()).contains("The amount is a number from 1 to 100.");

        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
        assertThat(Files.readAllLines(log()).subList(2, 4))
                .containsExactlyInAnyOrder(
                        "taken space-1 " + lease.reservation(),
                        "taken space-2 " + lease.reservation());
    }

    @Test
    void the_engine_describes_the_kind_of_an_external_plugin() {
        Client demo = product.as("demo");
        JsonNode kind = demo.get("/api/kinds/" + PARKING_SPACE).expect(200);
        JsonNode union =
                demo.get("/openapi.json").expect(200).at("/components/schemas/ReservationRequest");

        assertThat(kind.at("/parameters/properties/amount/maximum").asInt()).isEqualTo(100);
        assertThat(union.at("/discriminator/mapping").path(PARKING_SPACE).asString())
                .isEqualTo("#/components/schemas/SampleParkingSpaceReservation");
    }

    @Test
    void a_user_finds_and_books_the_new_kind_in_three_requests() {
        Client demo = product.as("demo");
        Instant tomorrow = product.now().plus(Duration.ofDays(1));

        JsonNode me = demo.get("/api/me").expect(200);
        JsonNode kind = demo.get("/api/kinds/" + PARKING_SPACE).expect(200);
        JsonNode lease =
                demo.post(
                                "/api/leases",
                                Map.of(
                                        "name",
                                        "parking",
                                        "start",
                                        tomorrow.toString(),
                                        "end",
                                        tomorrow.plus(Duration.ofHours(1)).toString(),
                                        "reservations",
                                        List.of(
                                                Map.of(
                                                        "kind",
                                                        PARKING_SPACE,
                                                        "parameters",
                                                        Map.of("amount", 1)))))
                        .expect(201);

        assertThat(me.path("kinds").valueStream().map(JsonNode::asString)).contains(PARKING_SPACE);
        assertThat(kind.at("/parameters/properties").propertyNames()).contains("amount");
        assertThat(lease.at("/reservations/0/allocations/0/name").asString()).startsWith("space-");
    }

    private static Answer ask(int amount, boolean covered) {
        return product.as("demo")
                .post(
                        "/v1/leases",
                        Map.of(
                                "name",
                                "parking",
                                "start_date",
                                "now",
                                "end_date",
                                DemoProject.minute(product.now().plus(Duration.ofHours(2))),
                                "reservations",
                                List.of(
                                        Map.of(
                                                "resource_type",
                                                PARKING_SPACE,
                                                "amount",
                                                amount,
                                                "covered",
                                                covered))));
    }

    private static void enrol(String space) {
        product.as("admin")
                .post("/api/resources", Map.of("kind", PARKING_SPACE, "name", space))
                .expect(201);
    }

    private static Path log() {
        return folder.resolve("parking.log");
    }
}
