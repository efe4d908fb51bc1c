package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.OpenApiDocument.Operation;
import org.leasehold.gateway.security.access.AccessPolicy;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tests that the description covers exactly the endpoints and problems of the application. */
@ApiTest
class OpenApiDocumentTest extends OpenApiDocumentFixture {

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
}
