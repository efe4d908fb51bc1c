package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.stack.SimulatedStack;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the lifecycle of leases of stacks, from their templates to the clean-up in the cloud. */
class StackLifecycleIT extends StackLifecycleFixture {

    @Test
    void a_stack_lease_holds_all_resources_and_the_end_releases_them() {
        enrol("virtual:server", "east");
        JsonNode accepted =
                tenant.askNow(
                                wish(
                                        Map.of(
                                                "web",
                                                server("m1.xlarge", "east"),
                                                "disk",
                                                volume("silver", 2_500),
                                                "address",
                                                address())))
                        .expect(201)
                        .path("lease");
        Lease lease = DemoProject.of(accepted);
        JsonNode parts = accepted.at("/reservations/0/reservations");
        assertThat(parts.valueStream().map(part -> part.path("resource_type").asString()))
                .containsExactlyInAnyOrder(
                        "virtual:server", "virtual:volume", "virtual:floatingip");
        tenant.awaitStatus(lease, "ACTIVE");
        SimulatedStack stack = stackOf(lease).orElseThrow();
        assertThat(stack.resources()).containsOnlyKeys("web", "disk", "address");
        JsonNode web = nested(lease, "web");
        assertThat(web.path("status").asString()).isEqualTo("active");
        assertThat(web.path("cloud_id").asString())
                .isEqualTo(String.valueOf(stack.resources().get("web")));
        assertThat(web.path("availability_zone").asString()).isEqualTo("east");

        // Others may have the rest of its volumes' type, and no more.
        assertThat(tenant.askNow(leasedVolume(1_501)).expect(409).toString())
                .contains("Not enough volumes available");
        Lease beside = DemoProject.of(tenant.askNow(leasedVolume(1_500)).expect(201).path("lease"));
        Map<String, Object> larger =
                Map.of(
                        "web",
                        server("m1.xlarge", "east"),
                        "second",
                        server("m1.xlarge", "east"),
                        "disk",
                        volume("silver", 2_500));
        assertThat(
                        change(
                                        lease,
                                        Map.of(
                                                "web",
                                                server("m1.xlarge", "east"),
                                                "disk",
                                                volume("silver", 2_501)))
                                .expect(409)
                                .toString())
                .contains("Not enough volumes available");

        change(lease, larger).expect(200);
        Await.until(
                "it has changed",
                () ->
                        stackOf(lease).orElseThrow().resources().containsKey("second")
                                && tenant.status(lease).equals("ACTIVE"));
        assertThat(stackOf(lease).orElseThrow().id()).isEqualTo(stack.id());
        Await.until(
                "its new part is called what the cloud calls it",
                () ->
                        nested(lease, "second")
                                .path("cloud_id")
                                .asString("")
                                .equals(String.valueOf(resource(lease, "second"))));
        assertThat(stackOf(lease).orElseThrow().resources()).doesNotContainKey("address");

        tenant.delete(beside);
        tenant.awaitStatus(beside, "gone");
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(stackOf(lease)).isEmpty();
        Lease after = DemoProject.of(tenant.askNow(leasedVolume(4_000)).expect(201).path("lease"));
        tenant.delete(after);
        tenant.awaitStatus(after, "gone");
    }

    @Test
    void a_stack_joins_an_active_lease_and_gets_an_availability_zone() {
        Lease lease = tenant.leaseNow(1, "");
        tenant.awaitStatus(lease, "ACTIVE");
        Map<String, Object> server =
                Map.of("type", "OS::Nova::Server", "properties", Map.of("flavor", "m1.tiny"));
        Map<String, Object> parameters =
                Map.of("template", template(Map.of("web", server, "disk", volume("gold", 1))));

        JsonNode joined =
                product.as("demo")
                        .patch(
                                "/api/leases/" + lease.id(),
                                Map.of(
                                        "further",
                                        List.of(Map.of("kind", KIND, "parameters", parameters))))
                        .expect(200);

        tenant.awaitStatus(lease, "ACTIVE");
        String reservation = joined.at("/reservations/1/id").asString();
        SimulatedStack stack =
                product.cloud().stacks().stream()
                        .filter(each -> reservation.equals(String.valueOf(each.reservation())))
                        .findFirst()
                        .orElseThrow();
        assertThat(stack.resources()).containsOnlyKeys("web", "disk");
        assertThat(stack.request()).contains("availability_zone");
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
        assertThat(product.cloud().stacks()).doesNotContain(stack);
    }

    @Test
    void hidden_template_parameters_stay_secret_and_unchanged() {
        Map<String, Object> template =
                Map.of(
                        "parameters",
                        Map.of(
                                "key", Map.of("type", "string", "hidden", true),
                                "word", Map.of("type", "string")),
                        "resources",
                        Map.of("word", Map.of("type", "OS::Heat::RandomString")));
        Map<String, Object> wish =
                Map.of(
                        "resource_type",
                        KIND,
                        "template",
                        template,
                        "parameters",
                        Map.of("key", "t0p-s3cret", "word", "old"));
        Lease lease = DemoProject.of(tenant.askNow(wish).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");

        tenant.changeReservation(
                        lease, Map.of("parameters", Map.of("key", "******", "word", "new")))
                .expect(200);

        Await.until(
                "it has changed", () -> stackOf(lease).orElseThrow().request().contains("\"new\""));
        assertThat(stackOf(lease).orElseThrow().request()).contains("t0p-s3cret");
        for (String path : List.of("/v1/leases/", "/api/leases/")) {
            assertThat(product.as("demo").get(path + lease.id()).expect(200).toString())
                    .contains("******")
                    .doesNotContain("t0p-s3cret");
        }
        assertThat(
                        product.as("demo")
                                .get("/api/leases/" + lease.id() + "/history")
                                .expect(200)
                                .toString())
                .doesNotContain("t0p-s3cret");
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_template_with_an_unknown_resource_type_or_flavor_answers_400() {
        Answer refused = tenant.askNow(wish(Map.of("db", Map.of("type", "OS::Trove::Instance"))));

        assertThat(refused.expect(400).toString()).contains("db (OS::Trove::Instance)");
        assertThat(tenant.askNow(wish(Map.of("web", server("m1.none", "nova")))).expect(400))
                .asString()
                .contains("there is no flavor m1.none");
    }

    @Test
    void a_refused_stack_reserves_none_of_the_parts() {
        enrol("virtual:volume", "bronze");
        Map<String, Object> both =
                wish(
                        Map.of(
                                "disk", volume("bronze", 8_000),
                                "more", volume("gold", 1_001)));

        assertThat(tenant.askNow(both).expect(409).toString())
                .contains("Not enough volumes available");

        Lease lease =
                DemoProject.of(
                        tenant.askNow(wish(Map.of("disk", volume("bronze", 10_000))))
                                .expect(201)
                                .path("lease"));
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    private static Map<String, Object> leasedVolume(int size) {
        return Map.of("resource_type", "virtual:volume", "volume_type", "silver", "size", size);
    }

    private JsonNode nested(Lease lease, String name) {
        return tenant.show(lease)
                .expect(200)
                .at("/lease/reservations/0/reservations")
                .valueStream()
                .filter(part -> part.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable UUID resource(Lease lease, String name) {
        return stackOf(lease).orElseThrow().resources().get(name);
    }
}
