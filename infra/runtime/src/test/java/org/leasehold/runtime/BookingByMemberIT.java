package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tests that a user of the cloud finds what to book, without documents and operators. */
class BookingByMemberIT {

    @TempDir private static Path folder;
    private static Product product;

    @BeforeAll
    static void start() {
        product = Product.start(folder, ProductApi.PLANS);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void a_member_finds_and_books_a_resource_in_four_requests() {
        Client admin = product.as("admin");
        JsonNode host =
                admin.get("/api/resources?kind=physical:host").expect(200).at("/resources/2");
        admin.patch(
                        "/api/resources/" + host.path("id").asLong(),
                        Map.of("set", Map.of("gpu", "V100", "invoice", "4711")))
                .expect(200);
        admin.patch("/api/properties/physical:host/invoice", Map.of("hidden", true)).expect(200);
        Client demo = product.as("demo");

        JsonNode me = demo.get("/api/me").expect(200);
        String kind =
                me.path("kinds")
                        .valueStream()
                        .map(JsonNode::asString)
                        .filter(each -> each.equals("physical:host"))
                        .findFirst()
                        .orElseThrow();
        JsonNode resources = demo.get("/api/resources?kind=" + kind).expect(200);
        JsonNode gpu = demo.get("/api/properties?kind=" + kind).expect(200).at("/properties/0");
        String filter =
                "[\"==\", \"$%s\", \"%s\"]"
                        .formatted(
                                gpu.path("name").asString(), gpu.at("/counts/0/value").asString());
        JsonNode lease =
                demo.post(
                                "/api/leases",
                                DemoProject.until(product.now().plus(Duration.ofHours(1)), filter))
                        .expect(201);

        assertThat(me.path("user_name").asString()).isEqualTo("demo");
        assertThat(me.path("simulated").asBoolean()).isTrue();
        assertThat(me.path("price_plans")).isNotEmpty();
        assertThat(me.path("actions").valueStream().map(JsonNode::asString))
                .contains("leasehold:leases:post");
        assertThat(gpu.path("name").asString()).isEqualTo("gpu");
        assertThat(gpu.at("/counts/0/count").asInt()).isOne();
        assertThat(resources.toString()).doesNotContain("invoice", "4711");
        JsonNode allocation = lease.at("/reservations/0/allocations/0");
        assertThat(allocation.path("id")).isEqualTo(host.path("id"));
        assertThat(names(resources)).contains(allocation.path("name").asString());
    }

    @Test
    void a_member_prolongs_a_lease_to_the_latest_end_in_two_requests() {
        Client demo = product.as("demo");
        String host = DemoProject.named("compute-4");
        Instant now = product.now();
        String lease =
                demo.post("/api/leases", DemoProject.until(now.plus(Duration.ofHours(1)), host))
                        .expect(201)
                        .path("id")
                        .asString();
        Map<String, Object> next =
                new HashMap<>(DemoProject.until(now.plus(Duration.ofHours(9)), host));
        Instant nextStart = now.plus(Duration.ofHours(8));
        next.put("start", nextStart.toString());
        product.as("other").post("/api/leases", next).expect(201);
        String path = "/api/leases/" + lease;
        // A lease cannot change while it starts.
        Await.until(
                "the lease is active",
                () -> demo.get(path).body().path("status").asString("").equals("active"));

        JsonNode latest = demo.get(path + "/latest-end").expect(200);
        String end = latest.path("latest_end").asString();
        demo.patch(path, Map.of("end", end)).expect(200);

        assertThat(latest.path("resource_name").asString()).isEqualTo("compute-4");
        assertThat(Instant.parse(end)).isEqualTo(nextStart);
        String later = Instant.parse(end).plusSeconds(1).toString();
        assertThat(demo.patch(path, Map.of("end", later)).expect(409).path("type").asString())
                .isEqualTo("/problems/not-enough-resources");
    }

    private static List<String> names(JsonNode resources) {
        return resources
                .path("resources")
                .valueStream()
                .map(resource -> resource.path("name").asString())
                .toList();
    }
}
