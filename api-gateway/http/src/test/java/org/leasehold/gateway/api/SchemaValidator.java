package org.leasehold.gateway.api;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Compares JSON with the schemas of a description: as much of them as the description uses. */
final class SchemaValidator {

    private final OpenApiDocument document;

    SchemaValidator(OpenApiDocument document) {
        this.document = document;
    }

    /** Returns the places where a value does not match its schema, with the reasons. */
    List<String> complaints(JsonNode value, JsonNode schema) {
        List<String> complaints = new ArrayList<>();
        check("", value, schema, complaints);
        return complaints;
    }

    private void check(String at, JsonNode value, JsonNode reference, List<String> complaints) {
        JsonNode schema = document.follow(reference);
        if (schema.has("anyOf")) {
            boolean fits =
                    schema.path("anyOf")
                            .valueStream()
                            .anyMatch(alternative -> complaints(value, alternative).isEmpty());
            require(fits, at, "is none of the alternatives: " + shortened(value), complaints);
            return;
        }
        if (schema.has("oneOf")) {
            long fits =
                    schema.path("oneOf")
                            .valueStream()
                            .filter(alternative -> complaints(value, alternative).isEmpty())
                            .count();
            require(
                    fits == 1,
                    at,
                    "is not one of the alternatives: " + shortened(value),
                    complaints);
            return;
        }
        if (schema.has("not")) {
            boolean excluded = complaints(value, schema.path("not")).isEmpty();
            require(!excluded, at, "is excluded: " + shortened(value), complaints);
        }
        if (schema.has("type") && !isTyped(value, schema)) {
            complaints.add(at + " is not of type " + schema.path("type") + ": " + shortened(value));
            return;
        }
        if (schema.has("enum")) {
            boolean known = schema.path("enum").valueStream().anyMatch(value::equals);
            require(known, at, "is none of the words: " + shortened(value), complaints);
        }
        if (value.isString()) {
            checkText(at, value.stringValue(), schema, complaints);
        } else if (value.isNumber()) {
            checkNumber(at, value, schema, complaints);
        } else if (value.isArray()) {
            checkList(at, value, schema, complaints);
        } else if (value.isObject()) {
            checkObject(at, value, schema, complaints);
        }
    }

    private static boolean isTyped(JsonNode value, JsonNode schema) {
        return switch (value.getNodeType()) {
            case STRING -> OpenApiDocument.isOf(schema, "string");
            case NUMBER ->
                    OpenApiDocument.isOf(schema, "number")
                            || (value.isIntegralNumber()
                                    && OpenApiDocument.isOf(schema, "integer"));
            case BOOLEAN -> OpenApiDocument.isOf(schema, "boolean");
            case NULL -> OpenApiDocument.isOf(schema, "null");
            case ARRAY -> OpenApiDocument.isOf(schema, "array");
            case OBJECT -> OpenApiDocument.isOf(schema, "object");
            case BINARY, MISSING, POJO -> false;
        };
    }

    private static void checkText(
            String at, String text, JsonNode schema, List<String> complaints) {
        int length = text.codePointCount(0, text.length());
        if (schema.has("pattern")) {
            boolean matches =
                    Pattern.compile(schema.path("pattern").asString()).matcher(text).find();
            require(matches, at, "does not match its pattern", complaints);
        }
        require(length >= schema.path("minLength").asInt(0), at, "is too short", complaints);
        require(length <= schema.path("maxLength").asInt(length), at, "is too long", complaints);
        // No description has to say it: no database stores such texts.
        boolean storable =
                text.indexOf('\0') < 0
                        && text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
        require(storable, at, "cannot be stored", complaints);
    }

    private static void checkNumber(
            String at, JsonNode value, JsonNode schema, List<String> complaints) {
        if (schema.has("minimum")) {
            boolean enough =
                    value.decimalValue().compareTo(schema.path("minimum").decimalValue()) >= 0;
            require(enough, at, "is too small", complaints);
        }
        if (schema.has("maximum")) {
            boolean isWithinMaximum =
                    value.decimalValue().compareTo(schema.path("maximum").decimalValue()) <= 0;
            require(isWithinMaximum, at, "is too large", complaints);
        }
    }

    private void checkList(String at, JsonNode value, JsonNode schema, List<String> complaints) {
        int maxItems = schema.path("maxItems").asInt(value.size());
        require(value.size() <= maxItems, at, "is too long", complaints);
        for (int i = 0; i < value.size(); i++) {
            check(at + "[" + i + "]", value.path(i), schema.path("items"), complaints);
        }
    }

    private void checkObject(String at, JsonNode value, JsonNode schema, List<String> complaints) {
        JsonNode others = schema.path("additionalProperties");
        int fewest = schema.path("minProperties").asInt(0);
        require(value.size() >= fewest, at, "has too few fields", complaints);
        schema.path("required")
                .forEach(
                        name ->
                                require(
                                        value.has(name.asString()),
                                        at + "." + name.asString(),
                                        "is missing",
                                        complaints));
        value.properties()
                .forEach(
                        field -> {
                            String inside = at + "." + field.getKey();
                            JsonNode known = schema.path("properties").path(field.getKey());
                            if (!known.isMissingNode()) {
                                check(inside, field.getValue(), known, complaints);
                            } else if (others.isObject()) {
                                check(inside, field.getValue(), others, complaints);
                            } else {
                                boolean open = others.isMissingNode() || others.asBoolean();
                                require(open, inside, "is unknown", complaints);
                            }
                        });
    }

    private static void require(
            boolean holds, String at, String complaint, List<String> complaints) {
        if (!holds) {
            complaints.add(at + " " + complaint);
        }
    }

    private static String shortened(JsonNode value) {
        String text = value.toString();
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
