package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.OpenApiDocument.Operation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tests that the description has a type and a text for each field. */
@ApiTest
class OpenApiFieldsTest extends OpenApiDocumentFixture {

    /** Fields of responses with free-form content, because other systems define it. */
    private static final Set<String> FREE_IN_ANSWERS =
            Set.of(
                    "/components/schemas/Reservation/properties/cloud_ids",
                    "/components/schemas/AuditEvent/properties/details",
                    "/components/schemas/AuditedEvent/properties/after",
                    "/components/schemas/AuditedEvent/properties/before",
                    "/components/schemas/ChangedSubscription/properties/after",
                    "/components/schemas/ChangedSubscription/properties/before",
                    "/components/schemas/CloudEvent/properties/data",
                    "/components/schemas/HistoryEvent/properties/details",
                    "/components/schemas/KindDetails/properties/changes",
                    "/components/schemas/KindDetails/properties/parameters",
                    "/components/schemas/NestedReservation/properties/parameters",
                    "/components/schemas/Reservation/properties/parameters",
                    "/components/schemas/Resource/properties/attributes");

    /** Parameters of kinds without a schema, and those that only Heat interprets. */
    private static final Set<String> FREE_IN_REQUESTS =
            Set.of(
                    "/components/schemas/Filter/items",
                    "/components/schemas/HeatObject",
                    "/components/schemas/OtherReservation/properties/parameters",
                    "/components/schemas/OtherAvailabilityQuestion/properties/parameters",
                    "/components/schemas/ReservationParameterChanges/anyOf/8");

    @Test
    void a_default_value_matches_the_schema_type() {
        List<JsonNode> schemas =
                served().findParents("default").stream()
                        .filter(schema -> schema.path("default").isValueNode())
                        .toList();
        assertThat(schemas)
                .isNotEmpty()
                .allSatisfy(
                        schema ->
                                assertThat(schema.path("default").isString())
                                        .as("%s", schema)
                                        .isEqualTo(
                                                "string".equals(schema.path("type").asString())));
    }

    @Test
    void an_example_is_not_null() {
        assertThat(served().findValues("example")).isNotEmpty().noneMatch(JsonNode::isNull);
    }

    @Test
    void a_schema_type_is_never_null_alone() {
        assertThat(served().findValues("type"))
                .isNotEmpty()
                .noneMatch(type -> type.isString() && "null".equals(type.asString()));
    }

    @Test
    void the_affinity_of_a_flavor_reservation_is_none_or_null() {
        JsonNode document = served();
        JsonNode affinity =
                document.at("/components/schemas/FlavorInstanceParameters/properties/affinity");
        SchemaValidator validator = new SchemaValidator(new OpenApiDocument(document));

        assertThat(validator.complaints(NullNode.getInstance(), affinity)).isEmpty();
        assertThat(validator.complaints(StringNode.valueOf("none"), affinity)).isEmpty();
        assertThat(validator.complaints(StringNode.valueOf("any"), affinity)).isNotEmpty();
        assertThat(validator.complaints(BooleanNode.TRUE, affinity)).isNotEmpty();
    }

    @Test
    void every_field_except_free_form_content_has_a_type() {
        JsonNode document = served();
        List<String> untyped = new ArrayList<>();
        document.path("components")
                .path("schemas")
                .properties()
                .forEach(
                        schema ->
                                collectUntyped(
                                        "/components/schemas/" + schema.getKey(),
                                        schema.getValue(),
                                        untyped));
        document.path("paths")
                .properties()
                .forEach(path -> collectInOperations(path.getKey(), path.getValue(), untyped));
        Set<String> free = new TreeSet<>(FREE_IN_ANSWERS);
        free.addAll(FREE_IN_REQUESTS);
        assertThat(untyped).containsExactlyInAnyOrderElementsOf(free);
        free.forEach(
                pointer ->
                        assertThat(document.at(pointer).path("description").asString())
                                .as(pointer + " says why")
                                .isNotEmpty());
    }

    @Test
    void every_field_and_every_parameter_has_a_description() {
        JsonNode document = served();
        List<String> silent = new ArrayList<>();
        document.path("components")
                .path("schemas")
                .forEachEntry(
                        (message, schema) ->
                                schema.path("properties")
                                        .forEachEntry(
                                                (field, described) ->
                                                        requireWords(
                                                                message + "." + field,
                                                                described,
                                                                silent)));
        for (Operation operation : new OpenApiDocument(document).operations()) {
            operation
                    .description()
                    .path("parameters")
                    .forEach(p -> requireWords(operation + " " + p.path("name"), p, silent));
        }
        assertThat(silent).isEmpty();
    }

    private static void requireWords(String where, JsonNode described, List<String> silent) {
        if (described.path("description").asString("").isBlank()) {
            silent.add(where);
        }
    }

    private static void collectInOperations(String at, JsonNode node, List<String> untyped) {
        node.properties()
                .forEach(
                        child -> {
                            String inside = at + " " + child.getKey();
                            if (child.getKey().equals("schema")) {
                                collectUntyped(inside, child.getValue(), untyped);
                            } else {
                                collectInOperations(inside, child.getValue(), untyped);
                            }
                        });
        node.valueStream()
                .filter(child -> node.isArray())
                .forEach(child -> collectInOperations(at, child, untyped));
    }

    private static void collectUntyped(String at, JsonNode schema, List<String> untyped) {
        if (schema.has("$ref")) {
            return;
        }
        for (String keyword : List.of("anyOf", "oneOf")) {
            if (schema.has(keyword)) {
                for (int i = 0; i < schema.path(keyword).size(); i++) {
                    collectUntyped(
                            at + "/" + keyword + "/" + i, schema.path(keyword).path(i), untyped);
                }
                return;
            }
        }
        if (OpenApiDocument.isOf(schema, "object")) {
            JsonNode others = schema.path("additionalProperties");
            if (others.isObject() && !others.isEmpty()) {
                collectUntyped(at + "/additionalProperties", others, untyped);
            } else if (others.isObject() || others.asBoolean() || !schema.has("properties")) {
                untyped.add(at);
            }
            schema.path("properties")
                    .properties()
                    .forEach(
                            field ->
                                    collectUntyped(
                                            at + "/properties/" + field.getKey(),
                                            field.getValue(),
                                            untyped));
        } else if (OpenApiDocument.isOf(schema, "array")) {
            collectUntyped(at + "/items", schema.path("items"), untyped);
        } else if (!schema.has("type")) {
            untyped.add(at);
        }
    }
}
