package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.OpenApiDocument.Operation;
import org.leasehold.gateway.security.access.AccessPolicy;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

@ApiTest
class OpenApiSchemaCustomizerTest {

    private static final Path FOLDER = Path.of("../../infra/docs/openapi");

    /** The descriptions themselves, and endpoints for other tools. */
    private static final Set<String> UNDESCRIBED =
            Set.of(
                    "/openapi.json",
                    "/openapi-blazar.json",
                    "/asyncapi.json",
                    "/docs",
                    "/docs/{file}",
                    "/error",
                    "/problems/{name}",
                    "/calendar/{secret}.ics",
                    "/actuator/**",
                    "/actuator/health/**",
                    "/actuator/prometheus");

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

    @Autowired RequestMappingHandlerMapping requestMappingHandlerMapping;
    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client() {
        return new ApiClient(new InMemoryApi(port, engine));
    }

    /**
     * Compares with the file. To accept a change, build once with -Dopenapi=write, and review it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"openapi.json", "openapi-blazar.json"})
    void the_served_document_equals_the_checked_in_file(String name) throws IOException {
        String served = client().get("", "/" + name).response().body().strip() + "\n";
        Path file = FOLDER.resolve(name);
        if ("write".equals(System.getProperty("openapi"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, served);
        }
        assertThat(served).isEqualTo(Files.readString(file));
    }

    @Test
    void each_document_describes_one_api() {
        assertThat(paths("/openapi.json")).isNotEmpty().allMatch(path -> path.startsWith("/api/"));
        assertThat(paths("/openapi-blazar.json"))
                .isNotEmpty()
                .noneMatch(path -> path.startsWith("/api/"));
    }

    private List<String> paths(String document) {
        return List.copyOf(client().get("", document).json().path("paths").propertyNames());
    }

    @Test
    void every_problem_type_of_an_operation_has_a_page() {
        Set<String> types = new TreeSet<>();
        served().findValues(ErrorResponses.TYPES)
                .forEach(list -> list.forEach(type -> types.add(type.asString())));
        assertThat(types)
                .isNotEmpty()
                .allSatisfy(
                        type ->
                                assertThat(client().get("", "/problems/" + type).status())
                                        .as(type)
                                        .isEqualTo(200));
    }

    @Test
    void every_operation_has_a_described_tag() {
        JsonNode document = client().get("", "/openapi.json").json();
        Set<String> tags = new TreeSet<>();
        document.path("tags").forEach(tag -> tags.add(tag.path("name").asString()));
        Set<String> used = new TreeSet<>();
        new OpenApiDocument(document)
                .operations()
                .forEach(
                        operation ->
                                operation
                                        .description()
                                        .path("tags")
                                        .forEach(tag -> used.add(tag.asString())));
        assertThat(tags).isEqualTo(used);
    }

    @Test
    void the_document_is_openapi_3_1() {
        assertThat(served().path("openapi").asString()).startsWith("3.1");
    }

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
    void the_document_describes_exactly_the_endpoints_of_the_policy() {
        Set<String> described = new TreeSet<>();
        new OpenApiDocument(served()).operations().forEach(o -> described.add(o.toString()));
        Set<String> allowed = new TreeSet<>();
        AccessPolicy.standard().rules().stream()
                .filter(rule -> !UNDESCRIBED.contains(rule.path().getPatternString()))
                .forEach(rule -> allowed.add(rule.method() + " " + rule.path()));
        assertThat(described).isEqualTo(allowed);
    }

    @Test
    void the_document_describes_exactly_the_endpoints_of_the_application() {
        Set<String> described = new TreeSet<>();
        new OpenApiDocument(served()).operations().forEach(o -> described.add(o.toString()));
        Set<String> mapped = new TreeSet<>();
        requestMappingHandlerMapping
                .getHandlerMethods()
                .forEach(
                        (route, handler) -> {
                            if (handler.getBeanType().getName().startsWith("org.leasehold.")) {
                                mapped.addAll(endpoints(route));
                            }
                        });
        assertThat(described).isEqualTo(mapped);
    }

    private static Set<String> endpoints(RequestMappingInfo route) {
        Set<String> endpoints = new TreeSet<>();
        for (String path : route.getPatternValues()) {
            if (!UNDESCRIBED.contains(path)) {
                assertThat(route.getMethodsCondition().getMethods()).as(path).isNotEmpty();
                route.getMethodsCondition()
                        .getMethods()
                        .forEach(method -> endpoints.add(method + " " + path));
            }
        }
        return endpoints;
    }

    /** Compares the limits of pages in Blazar's API, which no annotation has. */
    @Test
    void the_largest_page_of_the_document_is_the_largest_that_is_allowed() {
        List<Operation> lists =
                new OpenApiDocument(served())
                        .blazars().stream()
                                .filter(list -> !maxLimit(list).isMissingNode())
                                .toList();
        assertThat(lists).isNotEmpty();
        for (Operation list : lists) {
            int max = maxLimit(list).asInt();
            String path = list.path() + "?limit=";
            assertThat(client().get("admin", path + max).status()).as(path).isEqualTo(200);
            assertThat(client().get("admin", path + (max + 1)).status()).as(path).isEqualTo(400);
        }
    }

    private static JsonNode maxLimit(Operation list) {
        return list.parameters("query").stream()
                .filter(parameter -> parameter.path("name").asString().equals("limit"))
                .map(parameter -> parameter.at("/schema/maximum"))
                .findFirst()
                .orElse(MissingNode.getInstance());
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

    private JsonNode served() {
        return OpenApiDocument.served(client());
    }
}
