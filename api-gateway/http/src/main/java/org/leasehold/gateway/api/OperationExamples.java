package org.leasehold.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;

import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Examples of requests and responses. Tests of the whole product recorded them in a file. */
final class OperationExamples {

    private static final String JSON = "application/json";

    private final JsonNode examples;

    OperationExamples() {
        try (InputStream file =
                new ClassPathResource("examples.json", OperationExamples.class).getInputStream()) {
            examples = Json31.mapper().readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the example of an operation, if there is one. */
    void addTo(Operation operation) {
        JsonNode example = examples.path(operation.getOperationId());
        if (operation.getRequestBody() != null) {
            add(operation.getRequestBody().getContent(), example.path("request"));
        }
        var response = operation.getResponses().get(example.path("status").asText());
        if (response != null) {
            add(response.getContent(), example.path("response"));
        }
    }

    private static void add(@Nullable Content content, JsonNode example) {
        if (content != null && content.containsKey(JSON) && !example.isMissingNode()) {
            // A tree, because maps would lose their null values.
            content.get(JSON).setExample(example);
        }
    }
}
