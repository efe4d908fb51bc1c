package org.leasehold.gateway.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Valid values for every field of a description. Most follow from the field's schema. Only values
 * that must match existing objects are set here, by the field's name.
 */
final class SchemaSamples {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final OpenApiDocument document;
    private final Map<String, JsonNode> known = new LinkedHashMap<>();
    private final Instant future;

    SchemaSamples(OpenApiDocument document, Instant future) {
        this.document = document;
        this.future = future;
        know("kind", "physical:host");
        know("resource_type", "physical:host");
        know("start_date", minute(future));
        know("end_date", minute(future.plus(Duration.ofHours(2))));
        know("before_end_date", minute(future.plus(Duration.ofHours(1))));
        know("start", future.toString());
        know("end", future.plus(Duration.ofHours(2)).toString());
        know("before_end", future.plus(Duration.ofHours(1)).toString());
        know("horizon", future.plus(Duration.ofHours(3)).toString());
        know("from", future.toString());
        know("to", future.plus(Duration.ofHours(2)).toString());
        // A request cannot remove what it sets.
        know("remove[]", "another");
        // An empty filter, in either form.
        know("hypervisor_properties", "");
        know("resource_properties", "");
        know("by", "zone");
        know("type", "LeaseEnded");
        know("types", "LeaseEnded");
        know("types[]", "org.leasehold.LeaseDeleted");
        know("address", "192.0.2.0/24");
        // A network that is reserved for documentation.
        know("url", "https://192.0.2.1/webhook");
        know("requirement", "[\"==\", \"$vcpus\", \"1\"]");
    }

    /** Returns the form of Blazar's clients. */
    private static String minute(Instant instant) {
        return instant.toString().substring(0, 16).replace('T', ' ');
    }

    void know(String field, String value) {
        known.put(field, NODES.stringNode(value));
    }

    /** Returns a value of the field that has this name and schema. */
    JsonNode of(String name, JsonNode reference) {
        JsonNode schema = document.resolve(reference);
        if (schema.has("enum")) {
            // Only with this value, a request may have retries.
            return name.equals("if_unavailable")
                    ? NODES.stringNode("retry")
                    : schema.path("enum").path(0);
        }
        if (name.equals("interval_seconds")) {
            // The operator's limit is above the least number of the schema.
            return NODES.numberNode(60);
        }
        if (known.containsKey(name) && !OpenApiDocument.isOf(schema, "array")) {
            return known.get(name);
        }
        if (OpenApiDocument.isOfAnything(schema.path("items"))) {
            return NODES.arrayNode();
        }
        if (OpenApiDocument.isOf(schema, "object")) {
            return object(schema);
        }
        if (name.equals("remove") && schema.at("/items/format").asString("").equals("uuid")) {
            // A repeated request could not remove a reservation again.
            return NODES.arrayNode();
        }
        if (OpenApiDocument.isOf(schema, "array")) {
            return NODES.arrayNode().add(of(name + "[]", schema.path("items")));
        }
        if (OpenApiDocument.isOf(schema, "integer")) {
            return NODES.numberNode(Math.max(1, schema.path("minimum").asInt(1)));
        }
        if (OpenApiDocument.isOf(schema, "number")) {
            return NODES.numberNode(1);
        }
        if (OpenApiDocument.isOf(schema, "boolean")) {
            return NODES.booleanNode(true);
        }
        return NODES.stringNode(
                switch (schema.path("format").asString("")) {
                    case "date-time" -> future.toString();
                    // Avoids a wait of an hour.
                    case "duration" -> name.equals("wait") ? "PT0.1S" : "PT1H";
                    case "uuid" -> "00000000-0000-0000-0000-000000000001";
                    default ->
                            name.equals("request")
                                    ? "req-00000000-0000-0000-0000-000000000001"
                                    : "sample";
                });
    }

    private ObjectNode object(JsonNode schema) {
        ObjectNode object = NODES.objectNode();
        schema.path("properties")
                .properties()
                .forEach(field -> object.set(field.getKey(), of(field.getKey(), field.getValue())));
        if (schema.path("additionalProperties").isObject()) {
            object.set("sample", of("sample", schema.path("additionalProperties")));
        }
        return object;
    }
}
