package org.leasehold.gateway.api;

import org.leasehold.gateway.api.ApiClient.Answer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The description that a product serves, as the source of test cases. */
final class OpenApiDocument {

    private final JsonNode root;

    OpenApiDocument(JsonNode root) {
        this.root = root;
    }

    /** Reads it from a product. It is long: a caller that needs it often should store it. */
    static OpenApiDocument of(ApiUnderTest api) {
        return new OpenApiDocument(served(new ApiClient(api)));
    }

    /** Merges the documents of both APIs. */
    static JsonNode served(ApiClient client) {
        ObjectNode document = (ObjectNode) client.get("", "/openapi.json").json();
        JsonNode blazar = client.get("", "/openapi-blazar.json").json();
        for (String part : List.of("/paths", "/components/schemas")) {
            ((ObjectNode) document.at(part)).setAll((ObjectNode) blazar.at(part));
        }
        return document;
    }

    /**
     * An operation.
     *
     * @param body the schema of its body; missing if it takes none
     */
    record Operation(String method, String path, JsonNode description, JsonNode body) {

        boolean hasBody() {
            return !body.isMissingNode();
        }

        List<JsonNode> parameters(String in) {
            return description
                    .path("parameters")
                    .valueStream()
                    .filter(parameter -> parameter.path("in").asString().equals(in))
                    .toList();
        }

        /** Returns whether it belongs to Blazar's API, and not to our own. */
        boolean isBlazars() {
            return !path.startsWith("/api/");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    List<Operation> ours() {
        return operations().stream().filter(operation -> !operation.isBlazars()).toList();
    }

    List<Operation> blazars() {
        return operations().stream().filter(Operation::isBlazars).toList();
    }

    /** Returns parts of a response that the description of its operation lacks. */
    List<String> complaints(Operation operation, Answer answer) {
        JsonNode responses = operation.description().path("responses");
        JsonNode response =
                resolve(
                        responses.has(answer.status() + "")
                                ? responses.path(answer.status() + "")
                                : responses.path("default"));
        String type = answer.header("Content-Type").replaceFirst(";.*", "");
        if (type.isEmpty() && !response.has("content")) {
            return List.of();
        }
        if (!operation.isBlazars() && answer.isProblem() && !names(response, answer)) {
            return List.of(answer.status() + " does not name the problem of " + answer);
        }
        JsonNode schema = response.path("content").path(type).path("schema");
        return schema.isMissingNode()
                ? List.of(answer.status() + " as " + type + " is not described")
                : new SchemaValidator(this).complaints(body(type, answer), schema);
    }

    private static boolean names(JsonNode response, Answer problem) {
        String type = problem.json().path("type").asString().replaceFirst(".*/", "");
        return response.path(ErrorResponses.TYPES)
                .valueStream()
                .anyMatch(name -> name.asString().equals(type));
    }

    /** Reads lines of JSON as text, because they are not JSON. */
    private static JsonNode body(String type, Answer answer) {
        return type.equals("application/json") || type.endsWith("+json")
                ? answer.json()
                : StringNode.valueOf(answer.response().body());
    }

    List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        root.path("paths")
                .properties()
                .forEach(
                        path ->
                                path.getValue()
                                        .properties()
                                        .forEach(
                                                method ->
                                                        operations.add(
                                                                new Operation(
                                                                        method.getKey()
                                                                                .toUpperCase(
                                                                                        Locale
                                                                                                .ROOT),
                                                                        path.getKey(),
                                                                        method.getValue(),
                                                                        body(method.getValue())))));
        return operations;
    }

    private JsonNode body(JsonNode operation) {
        return operation
                .path("requestBody")
                .path("content")
                .path("application/json")
                .path("schema");
    }

    /** Follows references. */
    JsonNode follow(JsonNode schema) {
        return schema.has("$ref")
                ? follow(root.at(schema.path("$ref").asString().substring(1)))
                : schema;
    }

    /** Follows references, and takes the first of alternatives. */
    JsonNode resolve(JsonNode reference) {
        JsonNode schema = follow(reference);
        for (String alternatives : List.of("anyOf", "oneOf")) {
            if (schema.has(alternatives)) {
                return resolve(schema.path(alternatives).path(0));
            }
        }
        return schema;
    }

    static boolean isOf(JsonNode schema, String type) {
        JsonNode types = schema.path("type");
        return types.isArray()
                ? types.valueStream().anyMatch(t -> t.asString().equals(type))
                : types.asString().equals(type);
    }

    /** Returns whether a schema allows every value. */
    static boolean isOfAnything(JsonNode schema) {
        return schema.isObject()
                && !schema.has("type")
                && !schema.has("$ref")
                && !schema.has("anyOf")
                && !schema.has("oneOf");
    }

    static boolean isRequired(JsonNode schema, String property) {
        return schema.path("required").valueStream().anyMatch(n -> n.asString().equals(property));
    }
}
