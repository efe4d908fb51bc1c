package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.OpenApiDocument.Operation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The invalid variants of a valid body, each with one defect. They come from a walk through the
 * body and its schema together.
 */
record BodyFlaws(OpenApiDocument document, JsonNode valid, List<BodyFlaws.Flaw> flaws) {

    private static final String HUGE_INSTANT = "\"+999999999-01-01T00:00:00Z\"";

    /**
     * A request with one defect.
     *
     * @param field the field that the response names; null where no single field is invalid
     */
    record Flaw(String name, String body, @Nullable String field) {}

    /** Returns the defects of a valid body of an operation. */
    static List<Flaw> of(ApiFixture fixture, Operation operation) {
        JsonNode valid = fixture.body(operation);
        List<Flaw> flaws = new ArrayList<>();
        flaws.add(new Flaw("nothing", "", null));
        flaws.add(new Flaw("malformed", valid.toString().substring(1), null));
        flaws.add(new Flaw("cut off", valid.toString().substring(0, 5), null));
        flaws.add(new Flaw("two values", valid + "{}", null));
        flaws.add(new Flaw("a list", "[]", null));
        flaws.add(new Flaw("a text", "\"x\"", null));
        flaws.add(new Flaw("null", "null", null));
        flaws.add(new Flaw("very deep", "[".repeat(5_000), null));
        new BodyFlaws(fixture.document, valid, flaws)
                .addFlaws("", fixture.document.resolve(operation.body()));
        return flaws;
    }

    private void addFlaws(String path, JsonNode schema) {
        add(path(path, "unknown_field"), "unknown", "1");
        schema.path("properties")
                .properties()
                .forEach(
                        property ->
                                ofField(
                                        path(path, property.getKey()),
                                        property.getValue(),
                                        OpenApiDocument.isRequired(schema, property.getKey())));
    }

    private void ofField(String path, JsonNode reference, boolean required) {
        JsonNode schema = document.resolve(reference);
        if (required) {
            remove(path);
        }
        add(path, "null", "null");
        wrongTypes(schema).forEach(value -> add(path, "of the wrong type: " + value, value));
        if (OpenApiDocument.isOf(schema, "string")) {
            ofText(path, schema);
        }
        if (OpenApiDocument.isOf(schema, "integer")) {
            add(path, "huge", "99999999999999999999");
            add(path, "endless", "1e999999");
            add(path, "too much", schema.path("maximum").asLong() + 1 + "");
            add(path, "negative", "-1");
        }
        if (OpenApiDocument.isOf(schema, "array")
                && !OpenApiDocument.isOf(schema, "string")
                && !OpenApiDocument.isOfAnything(schema.path("items"))) {
            JsonNode first = valid.at(pointer(path)).path(0);
            String element =
                    first.isMissingNode() ? "\"" + new UUID(0, 1) + "\"" : first.toString();
            int maxItems = schema.path("maxItems").asInt(10_000);
            add(path, "huge", "[" + (element + ",").repeat(maxItems) + element + "]");
            ofElement(path, schema.path("items"));
        }
        if (OpenApiDocument.isOf(schema, "object")) {
            if (schema.path("additionalProperties").isObject()) {
                ofField(path(path, "sample"), schema.path("additionalProperties"), false);
            } else {
                addFlaws(path, schema);
            }
        }
    }

    private void ofElement(String path, JsonNode reference) {
        JsonNode schema = document.resolve(reference);
        String element = path + "[0]";
        add(element, "null", "null");
        wrongTypes(schema).forEach(value -> add(element, "of the wrong type: " + value, value));
        if (OpenApiDocument.isOf(schema, "object")) {
            addFlaws(element, schema);
        }
        if (OpenApiDocument.isOf(schema, "string")) {
            ofText(element, schema);
        }
    }

    private void ofText(String path, JsonNode schema) {
        add(path, "with U+0000", "\"\\u0000\"");
        add(path, "with half a character", "\"\\ud800\"");
        switch (schema.path("format").asString("")) {
            case "date-time" -> {
                add(path, "empty", "\"\"");
                add(path, "no time", "\"tomorrow\"");
                add(path, "without offset", "\"2099-01-01T00:00:00\"");
                add(path, "huge", HUGE_INSTANT);
                add(path, "in the past", "\"1999-12-31T23:59:59Z\"");
                add(path, "before all time", "\"-0001-12-31T23:59:59Z\"");
            }
            case "duration" -> {
                add(path, "empty", "\"\"");
                add(path, "no duration", "\"soon\"");
                add(path, "huge", "\"P99999999999D\"");
                add(path, "negative", "\"-PT1H\"");
                add(path, "zero", "\"PT0S\"");
            }
            case "uuid" -> {
                add(path, "empty", "\"\"");
                add(path, "no uuid", "\"me\"");
                add(path, "unknown", "\"00000000-0000-0000-0000-000000000009\"");
            }
            default -> {
                if (schema.has("enum")) {
                    add(path, "none of the words", "\"nonsense\"");
                    add(path, "the number of a word", "0");
                } else if (schema.path("minLength").asInt() > 0) {
                    add(path, "empty", "\"\"");
                    add(path, "blank", "\"  \"");
                }
                int longest = schema.path("maxLength").asInt(10_000);
                add(path, "huge", "\"" + "x".repeat(longest + 1) + "\"");
            }
        }
    }

    private static List<String> wrongTypes(JsonNode schema) {
        List<String> values = new ArrayList<>();
        values.add("true");
        values.add("1.5");
        values.add("{\"a\": 1}");
        values.add("[1]");
        values.add("\"nonsense\"");
        values.add("7");
        values.removeIf(
                value ->
                        switch (value.charAt(0)) {
                            case 't' -> OpenApiDocument.isOf(schema, "boolean");
                            case '{' -> OpenApiDocument.isOf(schema, "object");
                            case '[' -> OpenApiDocument.isOf(schema, "array");
                            case '"' -> OpenApiDocument.isOf(schema, "string");
                            default ->
                                    OpenApiDocument.isOf(schema, "number")
                                            || (value.equals("7")
                                                    && OpenApiDocument.isOf(schema, "integer"));
                        });
        return values;
    }

    private static String path(String parent, String name) {
        return parent.isEmpty() ? name : parent + "." + name;
    }

    private void remove(String path) {
        JsonNode body = valid.deepCopy();
        ObjectNode parent = (ObjectNode) parent(body, path);
        parent.remove(name(path));
        flaws.add(new Flaw(path + " missing", body.toString(), path));
    }

    private void add(String path, String how, String value) {
        JsonNode body = valid.deepCopy();
        String mark = "\"the-flaw\"";
        switch (parent(body, path)) {
            case ObjectNode object -> object.put(name(path), "the-flaw");
            case ArrayNode array when array.isEmpty() -> array.add("the-flaw");
            case ArrayNode array -> array.set(0, "the-flaw");
            default -> throw new AssertionError(path);
        }
        flaws.add(new Flaw(path + " " + how, body.toString().replace(mark, value), path));
    }

    private static JsonNode parent(JsonNode body, String path) {
        String pointer = pointer(path);
        return body.at(pointer.substring(0, pointer.lastIndexOf('/')));
    }

    private static String pointer(String path) {
        return "/" + path.replace("[0]", "/0").replace('.', '/');
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
