package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.leasehold.gateway.api.OpenApiDocument.Operation;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.util.stream.Stream;

/** To record the examples again, run ProductBadInputIT with -Dopenapi=write, and review them. */
@ApiTest
class OperationExamplesTest {

    private static final String JSON = "application/json";

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    @TestFactory
    Stream<DynamicTest> every_body_of_an_operation_has_a_valid_example() {
        OpenApiDocument document = OpenApiDocument.of(new InMemoryApi(port, engine));
        return document.ours().stream()
                .map(
                        operation ->
                                dynamicTest(
                                        operation.toString(),
                                        () -> assertExamples(document, operation)));
    }

    private static void assertExamples(OpenApiDocument document, Operation operation) {
        JsonNode request = operation.description().path("requestBody").path("content").path(JSON);
        if (!request.isMissingNode()) {
            assertValid(document, request);
        }
        operation
                .description()
                .path("responses")
                .properties()
                .forEach(
                        response -> {
                            JsonNode content = response.getValue().path("content").path(JSON);
                            if (response.getKey().startsWith("2") && !content.isMissingNode()) {
                                assertValid(document, content);
                            }
                        });
    }

    private static void assertValid(OpenApiDocument document, JsonNode content) {
        assertThat(content.has("example")).as("it has an example").isTrue();
        assertThat(
                        new SchemaValidator(document)
                                .complaints(content.path("example"), content.path("schema")))
                .isEmpty();
    }
}
