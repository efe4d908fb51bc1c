package org.leasehold.gateway.v1.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The properties of hosts, in lists and in filters. */
class HostPropertiesTest extends HostEndpointsFixture {

    @Test
    void a_detail_parameter_adds_the_values_to_listed_properties() {
        enrol("compute-1");
        enrol("compute-2");
        properties("", "{\"property\": \"gpu\"}");
        String detailed = "{\"property\": \"gpu\", \"private\": false, \"values\": [\"V100\"]}";
        properties("?detail=True", detailed);
        properties("?detail=false", detailed);
        properties("?detail=", "{\"property\": \"gpu\"}");
    }

    private void properties(String query, String... expected) {
        assertThat(get("admin", "/v1/os-hosts/properties" + query).json())
                .isEqualTo(
                        JSON.readTree(
                                "{\"resource_properties\": [" + String.join(",", expected) + "]}"));
    }

    @Test
    void a_private_property_is_listed_only_for_administrators_with_all() {
        enrol("compute-1");
        Answer answer =
                send(
                        "admin",
                        "PATCH",
                        "/v1/os-hosts/properties/gpu",
                        "{\"private\": true, \"property_name\": \"other\"}");
        assertThat(answer.status()).isEqualTo(200);
        JsonNode property = answer.json().path("resource_property");
        assertThat(property.propertyNames())
                .containsExactly(
                        "id",
                        "resource_type",
                        "property_name",
                        "private",
                        "created_at",
                        "updated_at");
        assertThat(property.path("property_name").asString()).isEqualTo("gpu");
        assertThat(property.path("resource_type").asString())
                .isEqualTo(ResourceKind.PHYSICAL_HOST.value());
        assertThat(property.path("private").booleanValue()).isTrue();
        assertThat(property.path("updated_at").asString()).isEqualTo("2026-11-21T00:33:30.000000");
        properties("");
        properties("?all=True", "{\"property\": \"gpu\"}");
        assertThat(
                        get("auditor", "/v1/os-hosts/properties?all=True")
                                .json()
                                .path("resource_properties")
                                .isEmpty())
                .isTrue();
    }

    @Test
    void an_unknown_property_answers_404_and_private_must_be_a_boolean() {
        enrol("compute-1");
        String path = "/v1/os-hosts/properties/";
        assertThat(send("admin", "PATCH", path + "ssd", "{\"private\": true}").status())
                .isEqualTo(404);
        assertThat(send("admin", "PATCH", path + "gpu", "{}").message())
                .isEqualTo("Missing parameter private");
        for (String value : List.of("null", "\"true\"", "1", "[]")) {
            assertThat(
                            send("admin", "PATCH", path + "gpu", "{\"private\": " + value + "}")
                                    .message())
                    .isEqualTo("Malformed parameter private");
        }
    }

    @Test
    void a_filter_with_an_unknown_name_is_refused_with_a_suggestion() {
        post("admin", "/v1/os-hosts", "{\"name\": \"compute-1\", \"gpu\": \"V100\"}");

        Answer refused = filtered("gpuu");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("resource_properties: no host has a property gpuu; did you mean gpu?");
        for (String shown :
                List.of("availability_zone", "id", "status", "reservable", "trust_id", "gpu")) {
            Answer accepted = filtered(shown);
            assertThat(accepted.status()).as(accepted.toString()).isEqualTo(201);
        }
    }

    private Answer filtered(String property) {
        String filter =
                "\"resource_properties\": \"[\\\"==\\\", \\\"$" + property + "\\\", \\\"x\\\"]\"";
        return post("member", "/v1/leases", LEASE.replace("\"resource_properties\": \"\"", filter));
    }

    @Test
    void a_private_property_is_unknown_in_a_filter() {
        post("admin", "/v1/os-hosts", "{\"name\": \"compute-1\", \"gpu\": \"V100\"}");
        send("admin", "PATCH", "/v1/os-hosts/properties/gpu", "{\"private\": true}");

        Answer refused = filtered("gpu");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("resource_properties: no host has a property gpu");
    }
}
