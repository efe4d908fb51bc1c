package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.Schema;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.v1.FakeCloudPlugins;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

class AvailabilitySchemasTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JsonNode document = document();

    @Test
    void a_query_matches_the_schema_of_the_kind() {
        assertThat(complaints("physical:host", "{\"min\": 1, \"max\": 1}", "")).isEmpty();
        assertThat(complaints("virtual:network", "{\"network_name\": \"x\"}", "")).isEmpty();
        assertThat(complaints("acme:thing", "{\"mim\": 1}", "")).isEmpty();
    }

    @Test
    void a_misspelt_parameter_matches_no_alternative() {
        assertThat(complaints("physical:host", "{\"mim\": 1, \"max\": 1}", "")).isNotEmpty();
        assertThat(complaints("virtual:network", "{\"name\": \"x\"}", "")).isNotEmpty();
    }

    @Test
    void parameters_of_another_kind_match_no_alternative() {
        assertThat(complaints("virtual:network", "{\"min\": 1, \"max\": 1}", "")).isNotEmpty();
    }

    @Test
    void a_query_has_only_the_common_fields_besides_the_kinds() {
        assertThat(complaints("physical:host", "{\"min\": 1, \"max\": 1}", ", \"limit\": 1"))
                .isEmpty();
        assertThat(complaints("physical:host", "{\"min\": 1, \"max\": 1}", ", \"name\": \"x\""))
                .isNotEmpty();
    }

    @Test
    void each_alternative_requires_the_duration() {
        for (JsonNode alternative : schemas().at("/AvailabilityQuestion/oneOf")) {
            String name = alternative.path("$ref").asString().replaceFirst(".*/", "");
            assertThat(schemas().path(name).path("required").valueStream().map(JsonNode::asString))
                    .as(name)
                    .contains("duration", "kind");
        }
    }

    @Test
    void the_discriminator_maps_every_kind() {
        JsonNode union = schemas().path("AvailabilityQuestion");

        assertThat(union.at("/discriminator/propertyName").asString()).isEqualTo("kind");
        assertThat(union.at("/discriminator/mapping").propertyNames())
                .isEqualTo(FakeCloudPlugins.ofAllKinds().kinds());
        assertThat(union.path("oneOf").size()).isEqualTo(9);
        assertThat(union.at("/oneOf/8/$ref").asString())
                .isEqualTo("#/components/schemas/OtherAvailabilityQuestion");
    }

    private JsonNode schemas() {
        return document.at("/components/schemas");
    }

    private List<String> complaints(String kind, String parameters, String further) {
        JsonNode query =
                JSON.readTree(
                        "{\"kind\": \"%s\", \"duration\": \"PT1H\", \"parameters\": %s%s}"
                                .formatted(kind, parameters, further));
        return new SchemaValidator(new OpenApiDocument(document))
                .complaints(query, schemas().path("AvailabilityQuestion"));
    }

    private static JsonNode document() {
        Map<String, Schema<?>> schemas =
                new TreeMap<>(ReservationSchemas.of(FakeCloudPlugins.ofAllKinds(), Set.of()));
        schemas.put("AvailabilityQuestion", common());
        schemas.putAll(AvailabilitySchemas.of(schemas));
        ObjectNode document = JSON.createObjectNode();
        document.putObject("components").set("schemas", JSON.readTree(Json31.pretty(schemas)));
        return document;
    }

    private static Schema<?> common() {
        Schema<?> common = new Schema<>();
        common.addType("object");
        common.addProperty("duration", typed("string"));
        common.addProperty("kind", typed("string"));
        common.addProperty("limit", typed("integer"));
        common.setRequired(List.of("duration", "kind"));
        return common;
    }

    private static Schema<?> typed(String type) {
        Schema<?> schema = new Schema<>();
        schema.addType(type);
        return schema;
    }
}
