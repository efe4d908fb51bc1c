package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.stack.Stacks.Search;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

class TemplateTest {

    private static final Map<String, Object> KEPT = Map.of("leasehold", Map.of("on_end", "keep"));

    @Test
    void the_heat_request_omits_null_and_unrelated_parameters() {
        Map<String, Object> wish = new HashMap<>();
        wish.put("template", "heat_template_version: 2018-08-31");
        wish.put("parameters", Map.of("size", 1));
        wish.put("environment", null);
        wish.put("on_end", "delete");

        assertThat(Template.request(wish))
                .isEqualTo(
                        Map.of(
                                "template",
                                Map.of("heat_template_version", "2018-08-31"),
                                "parameters",
                                Map.of("size", 1)));
    }

    @Test
    void the_end_action_of_a_resource_becomes_the_deletion_policy() {
        Map<String, Object> disk = Map.of("type", "OS::Cinder::Volume", "metadata", KEPT);
        Map<String, Object> plain = Map.of("type", "OS::Cinder::Volume");

        assertThat(
                        Template.request(
                                Map.of(
                                        "template",
                                        Map.of("resources", Map.of("disk", disk, "other", plain)))))
                .isEqualTo(
                        Map.of(
                                "template",
                                Map.of(
                                        "resources",
                                        Map.of(
                                                "disk",
                                                Map.of(
                                                        "type",
                                                        "OS::Cinder::Volume",
                                                        "metadata",
                                                        KEPT,
                                                        "deletion_policy",
                                                        "Retain"),
                                                "other",
                                                plain))));
    }

    @Test
    void a_cloudformation_template_gets_a_cloudformation_deletion_policy() {
        Map<String, Object> disk =
                Map.of(
                        "Type",
                        "OS::Cinder::Volume",
                        "Metadata",
                        Map.of("leasehold", Map.of("on_end", "snapshot")));

        Map<?, ?> request =
                (Map<?, ?>)
                        Template.request(
                                        Map.of(
                                                "template",
                                                Map.of("Resources", Map.of("disk", disk))))
                                .get("template");

        assertThat(((Map<?, ?>) ((Map<?, ?>) request.get("Resources")).get("disk")))
                .extracting("DeletionPolicy")
                .isEqualTo("Snapshot");
    }

    @Test
    void an_end_action_must_be_known_and_belong_to_a_template_resource() {
        Map<String, Object> template =
                Map.of("resources", Map.of("disk", Map.of("metadata", KEPT)));

        assertThat(misfit(template, Map.of("disk", "keep"))).isEmpty();
        assertThat(misfit(template, Map.of())).isEmpty();
        assertThat(misfit(template, Map.of("disk", "shred")))
                .hasValueSatisfying(why -> assertThat(why).contains("shred"));
        assertThat(misfit(template, Map.of("group.0.disk", "keep")))
                .hasValueSatisfying(why -> assertThat(why).contains("deletion policy"));
        assertThat(misfit("resources: {}", Map.of("disk", "keep"))).isPresent();
        assertThat(
                        misfit(
                                "resources: {disk: {metadata: {leasehold: {on_end: keep}}}}",
                                Map.of("disk", "keep")))
                .isEmpty();
    }

    private static Optional<String> misfit(Object template, Map<String, String> policies) {
        return Template.validate(template, new Search.Found("", List.of(), policies));
    }

    @Test
    void servers_without_a_zone_get_the_zone_of_the_demand() {
        Map<String, Object> server =
                Map.of("type", "OS::Nova::Server", "properties", Map.of("flavor", "small"));
        Map<String, Object> group =
                Map.of(
                        "type",
                        "OS::Heat::ResourceGroup",
                        "properties",
                        Map.of("count", 1, "resource_def", server));
        Map<String, Object> template =
                Map.of("resources", Map.of("web", server, "web-2", server, "group", group));
        List<StackComponent> parts =
                List.of(server("web", ""), server("group.0", ""), server("web-2", "b"));

        Map<?, ?> made = resources(Template.request(assignment(template, parts, "a")));

        assertThat(properties(made.get("web"))).containsEntry("availability_zone", "b");
        assertThat(properties(made.get("web-2"))).doesNotContainKey("availability_zone");
        assertThat(properties(properties(made.get("group")).get("resource_def")))
                .containsEntry("availability_zone", "b");
        Map<?, ?> alone =
                resources(Template.request(assignment(template, List.of(server("web", "")), "a")));
        assertThat(properties(alone.get("web"))).containsEntry("availability_zone", "a");
    }

    @Test
    void a_server_in_a_nested_template_must_name_a_zone() {
        Map<String, Object> site = Map.of("type", "site.yaml");
        Map<String, Object> template = Map.of("resources", Map.of("site", site));

        assertThat(
                        Template.validate(
                                template,
                                new Search.Found("", List.of(server("site.web", "")), Map.of())))
                .hasValueSatisfying(why -> assertThat(why).contains("site.web"));
        assertThat(
                        Template.validate(
                                template,
                                new Search.Found("", List.of(server("site.web", "a")), Map.of())))
                .isEmpty();
    }

    @Test
    void the_template_for_the_creation_has_no_deletion_policies() {
        Map<String, Object> template =
                Map.of(
                        "resources",
                        Map.of(
                                "disk",
                                Map.of("type", "OS::Cinder::Volume", "metadata", KEPT),
                                "other",
                                Map.of("deletion_policy", "Retain")));

        Map<?, ?> made =
                resources(Template.requestWithoutPolicies(assignment(template, List.of(), "a")));

        assertThat(made.values())
                .allSatisfy(
                        each ->
                                assertThat(((Map<?, ?>) each).containsKey("deletion_policy"))
                                        .isFalse());
    }

    private static StackComponent server(String name, String zone) {
        return StackComponent.server(name, "OS::Nova::Server", new ComputeCapacity(zone, 1, 1, 1));
    }

    private static Assignment assignment(Object template, List<StackComponent> parts, String zone) {
        return new Assignment(
                new LeaseId(new UUID(0, 1)),
                new ReservationId(new UUID(0, 2)),
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(Instant.EPOCH, Instant.MAX),
                Map.of("template", template, "stack", new StackDescription("", parts).attributes()),
                List.of(
                        new Allocation(new ResourceId(1), "gold", Map.of("volume_type", "gold")),
                        new Allocation(
                                new ResourceId(2), zone, Map.of(ComputeCapacity.ZONE, zone))));
    }

    private static Map<?, ?> resources(Map<String, Object> request) {
        return (Map<?, ?>) ((Map<?, ?>) request.get("template")).get("resources");
    }

    private static Map<Object, Object> properties(Object resource) {
        return new HashMap<>((Map<?, ?>) ((Map<?, ?>) resource).get("properties"));
    }
}
