package org.leasehold.gateway.api;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The error responses of an operation: per status, the types of its problems. Most follow from the
 * form of the operation; the file {@code api.yaml} has the others under {@code x-problems}.
 */
final class ErrorResponses {

    /** The extension of a response that lists the names of its problem types. */
    static final String TYPES = "x-problem-types";

    private static final List<String> NEED_RETRY_AFTER = List.of("429", "503");

    private final Map<?, ?> problemsOfOperations;

    /** Reads the problems of operations from a description file. */
    ErrorResponses(OpenAPI written) {
        this.problemsOfOperations = object(written.getExtensions().get("x-problems"));
    }

    /** Adds the responses; those of a single problem type are components that operations share. */
    void addTo(Operation operation, Components components) {
        problems(operation)
                .forEach(
                        (status, types) ->
                                operation
                                        .getResponses()
                                        .addApiResponse(status, shared(status, types, components)));
    }

    private static ApiResponse shared(String status, List<String> types, Components components) {
        ApiResponse response = response(status, types);
        if (types.size() > 1) {
            return response;
        }
        String name = SchemaNames.inPascalCase(Stream.of(types.getFirst().split("-")));
        components.addResponses(name, response);
        return new ApiResponse().$ref(name);
    }

    private Map<String, List<String>> problems(Operation operation) {
        Map<String, List<String>> problems = new TreeMap<>();
        add(problems, "400", "bad-request");
        add(problems, "401", "unauthorized");
        add(problems, "403", "forbidden");
        add(problems, "406", "not-acceptable");
        add(problems, "429", "too-many-requests");
        add(problems, "503", "busy", "service-unavailable", "unavailable");
        if (hasParameter(operation, "path", null)) {
            add(problems, "404", "not-found");
        }
        if (hasParameter(operation, "header", "Leasehold-Position")) {
            add(problems, "409", "position-lost", "position-not-reached");
            add(problems, "503", "behind");
        }
        if (hasParameter(operation, "header", "Idempotency-Key")) {
            add(problems, "422", "idempotency-key-reused");
        }
        if (hasParameter(operation, "header", "If-Match")) {
            add(problems, "412", "precondition-failed");
        }
        if (operation.getRequestBody() != null) {
            add(problems, "400", "malformed-json");
            add(problems, "408", "request-timeout");
            add(problems, "413", "content-too-large");
            add(problems, "415", "unsupported-media-type");
        }
        object(problemsOfOperations.get(operation.getOperationId()))
                .forEach((status, types) -> addAll(problems, String.valueOf(status), names(types)));
        return problems;
    }

    private static void add(Map<String, List<String>> problems, String status, String... types) {
        addAll(problems, status, List.of(types));
    }

    private static void addAll(
            Map<String, List<String>> problems, String status, List<String> types) {
        problems.merge(
                status,
                types,
                (known, more) ->
                        Stream.concat(known.stream(), more.stream()).distinct().sorted().toList());
    }

    private static ApiResponse response(String status, List<String> types) {
        ApiResponse response =
                new ApiResponse()
                        .description(
                                types.stream()
                                        .map(type -> "`%s`".formatted(type))
                                        .collect(Collectors.joining(", ", "Problems: ", ".")))
                        .content(
                                new Content()
                                        .addMediaType(
                                                "application/problem+json",
                                                new MediaType()
                                                        .schema(new Schema<>().$ref("Problem"))));
        response.addExtension(TYPES, types);
        if (NEED_RETRY_AFTER.contains(status)) {
            Schema<Object> seconds = new Schema<>();
            seconds.addType("integer");
            response.addHeaderObject(
                    "Retry-After",
                    new Header()
                            .description("The number of seconds after which to send it again.")
                            .schema(seconds));
        }
        return response;
    }

    private static boolean hasParameter(Operation operation, String in, @Nullable String name) {
        List<Parameter> parameters = operation.getParameters();
        return parameters != null
                && parameters.stream()
                        .anyMatch(
                                parameter ->
                                        in.equals(parameter.getIn())
                                                && (name == null
                                                        || name.equals(parameter.getName())));
    }

    private static Map<?, ?> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<String> names(Object types) {
        return ((List<?>) types).stream().map(String::valueOf).sorted().toList();
    }
}
