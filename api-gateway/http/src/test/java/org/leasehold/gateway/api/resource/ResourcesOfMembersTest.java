package org.leasehold.gateway.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tests what members and readers see of the inventory, and its pages. */
@ApiTest
class ResourcesOfMembersTest {

    private static final Pattern NEXT = Pattern.compile("<(.*)>; rel=\"next\"");
    private static final String PROPERTIES = "/api/properties?kind=physical:host";

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    private long enrol(String name, String capabilities) {
        Answer enrolled =
                client.send(
                        "admin",
                        "POST",
                        "/api/resources",
                        "{\"kind\": \"physical:host\", \"name\": \"%s\", \"capabilities\": %s}"
                                .formatted(name, capabilities));
        assertThat(enrolled.status()).as(enrolled.toString()).isEqualTo(201);
        return enrolled.json().path("id").asLong();
    }

    private void hide(String property) {
        Answer hidden =
                client.send(
                        "admin",
                        "PATCH",
                        "/api/properties/physical:host/" + property,
                        "{\"hidden\": true}");
        assertThat(hidden.status()).as(hidden.toString()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "reader", "stranger"})
    void a_project_sees_no_operator_data_of_a_resource(String user) {
        long id = enrol("compute-1", "{\"gpu\": \"V100\", \"owner\": \"ada\"}");
        hide("owner");
        client.send(
                "admin",
                "POST",
                "/api/resources/" + id + "/disable",
                "{\"reason\": \"ada broke the fan\"}");

        for (String path : List.of("/api/resources", "/api/resources/" + id)) {
            Answer answer = client.get(user, path);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.response().body()).doesNotContain("ada", "owner");
            JsonNode resource =
                    path.endsWith("s") ? answer.json().at("/resources/0") : answer.json();
            assertThat(resource.path("id").asLong()).isEqualTo(id);
            assertThat(resource.path("name").asString()).isEqualTo("compute-1");
            assertThat(resource.path("kind").asString()).isEqualTo("physical:host");
            assertThat(resource.path("reservable").asBoolean()).isFalse();
            assertThat(resource.at("/capabilities/gpu").asString()).isEqualTo("V100");
            assertThat(resource.path("attributes")).isNotEmpty();
            assertThat(resource.path("disabled_reason").isNull()).isTrue();
            assertThat(resource.path("updated_at").isNull()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"planner", "auditor", "admin"})
    void operators_and_planners_see_why_a_resource_is_out_of_service(String user) {
        long id = enrol("compute-1", "{}");
        client.send(
                "admin",
                "POST",
                "/api/resources/" + id + "/disable",
                "{\"reason\": \"broken fan\"}");

        JsonNode resource = client.get(user, "/api/resources/" + id).json();

        assertThat(resource.path("disabled_reason").asString()).isEqualTo("broken fan");
        assertThat(resource.path("updated_at").isNull()).isFalse();
    }

    /** Billers read all leases, but not the inventory. */
    @Test
    void a_member_who_is_a_biller_sees_no_more_than_a_member() {
        long id = enrol("compute-1", "{}");
        client.send(
                "admin",
                "POST",
                "/api/resources/" + id + "/disable",
                "{\"reason\": \"broken fan\"}");
        Caller caller =
                new Caller(
                        new UserId("u1"),
                        "ada",
                        new ProjectId("p1"),
                        "demo",
                        EnumSet.of(Role.MEMBER, Role.BILLER),
                        "basic");
        ResourceView resource = engine.resources().find(new ResourceId(id)).orElseThrow();

        ResourceView seen =
                new PropertyRedaction(engine.resources()).forResources(caller).apply(resource);

        assertThat(resource.disabledReason()).isEqualTo("broken fan");
        assertThat(seen.disabledReason()).isNull();
    }

    @Test
    void a_hidden_name_hides_an_attribute_from_projects_too() {
        long id = enrol("compute-1", "{\"vcpus\": \"many\"}");
        assertThat(
                        client.get("member", "/api/resources/" + id)
                                .json()
                                .path("attributes")
                                .has("vcpus"))
                .isTrue();
        hide("vcpus");

        JsonNode seen = client.get("member", "/api/resources/" + id).json();

        assertThat(seen.path("attributes").has("vcpus")).isFalse();
        assertThat(seen.path("capabilities").has("vcpus")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "reader", "planner"})
    void visible_properties_are_listed_with_a_count_of_each_value(String user) {
        enrol("compute-1", "{\"gpu\": \"V100\", \"owner\": \"ada\"}");
        enrol("compute-2", "{\"gpu\": \"V100\"}");
        enrol("compute-3", "{\"gpu\": \"A100\"}");
        hide("owner");

        JsonNode properties = client.get(user, PROPERTIES).json().path("properties");

        assertThat(properties).hasSize(1);
        JsonNode gpu = properties.path(0);
        assertThat(gpu.path("name").asString()).isEqualTo("gpu");
        assertThat(gpu.path("values").toString()).isEqualTo("[\"A100\",\"V100\"]");
        assertThat(gpu.path("counts").valueStream().map(each -> each.path("count").asInt()))
                .containsExactly(1, 2);
        assertThat(gpu.path("truncated").asBoolean()).isFalse();
    }

    @Test
    void a_hidden_property_is_no_marker_for_a_project() {
        enrol("compute-1", "{\"gpu\": \"V100\", \"owner\": \"ada\"}");
        hide("owner");
        UUID owner = UUID.nameUUIDFromBytes("owner".getBytes(StandardCharsets.UTF_8));

        Answer members = client.get("member", PROPERTIES + "&marker=" + owner);
        Answer unknown = client.get("member", PROPERTIES + "&marker=" + new UUID(1, 1));

        assertThat(members.status()).isEqualTo(400);
        assertThat(members.names("marker")).isTrue();
        assertThat(members.json().path("detail")).isEqualTo(unknown.json().path("detail"));
        assertThat(client.get("admin", PROPERTIES + "&marker=" + owner).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"/api/resources?limit=2, resources", PROPERTIES + "&limit=2, properties"})
    void links_lead_through_all_pages(String first, String field) {
        for (int i = 1; i <= 5; i++) {
            enrol("compute-" + i, "{\"p" + i + "\": \"x\"}");
        }
        List<Integer> sizes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String next = first;
        while (next != null) {
            Answer page = client.get("member", next);
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            sizes.add(page.json().path(field).size());
            page.json().path(field).forEach(each -> names.add(each.path("name").asString()));
            Matcher link = NEXT.matcher(page.header("Link"));
            next = link.matches() ? link.group(1) : null;
            assertThat(page.json().path("next").isNull()).isEqualTo(next == null);
        }
        assertThat(sizes).containsExactly(2, 2, 1);
        assertThat(names).doesNotHaveDuplicates().hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/resources?limit=0, limit",
        "/api/resources?limit=1001, limit",
        "/api/resources?marker=x, marker",
        "/api/resources?marker=-1, marker",
        "/api/resources?kind=spaceship, kind",
        PROPERTIES + "&limit=1001, limit",
        PROPERTIES + "&marker=gpu, marker",
        "/api/properties?kind=spaceship, kind",
        "/api/properties, kind"
    })
    void an_invalid_query_is_rejected_with_the_field_name(String path, String field) {
        Answer refused = client.get("member", path);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }

    @Test
    void a_project_sees_nothing_of_who_holds_a_resource() {
        enrol("compute-1", "{}");

        Answer holds = client.get("member", "/api/resources/allocations?kind=physical:host");

        assertThat(holds.status()).isEqualTo(403);
        assertThat(client.get("biller", "/api/resources").status()).isEqualTo(403);
        assertThat(client.get("biller", PROPERTIES).status()).isEqualTo(403);
    }
}
