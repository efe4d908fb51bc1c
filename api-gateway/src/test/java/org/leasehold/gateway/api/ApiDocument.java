package org.leasehold.gateway.api;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The description that a product serves, as the source of test cases. */
final class ApiDocument {

    private final JsonNode root;

    ApiDocument(JsonNode root) {
        this.root = root;
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

        @Override
        public String toString() {
            return method + " " + path;
        }
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

    /** Follows references, and of alternatives the first. */
    JsonNode resolve(JsonNode schema) {
        if (schema.has("$ref")) {
            String pointer = schema.path("$ref").asString().substring(1);
            return resolve(root.at(pointer));
        }
        return schema.has("anyOf") ? resolve(schema.path("anyOf").path(0)) : schema;
    }

    static boolean isOf(JsonNode schema, String type) {
        JsonNode types = schema.path("type");
        return types.isArray()
                ? types.valueStream().anyMatch(t -> t.asString().equals(type))
                : types.asString().equals(type);
    }

    static boolean isRequired(JsonNode schema, String property) {
        return schema.path("required").valueStream().anyMatch(n -> n.asString().equals(property));
    }
}
