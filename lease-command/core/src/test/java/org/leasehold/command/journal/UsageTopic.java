package org.leasehold.command.journal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The topic of usage in the description of the messages to Kafka. */
final class UsageTopic {

    private static final String USAGE = "Usage.v1";
    private static final String TYPE = "type";
    private static final String DESCRIPTION = "description";

    private UsageTopic() {}

    static Map<String, Object> channel() {
        Map<String, Object> channel = new LinkedHashMap<>();
        channel.put("address", "leasehold.usage");
        channel.put(
                DESCRIPTION,
                "The usage of leases, in records that consumers add up: the sum of all records of a"
                        + " lease is its usage. A record never changes; another one with negative"
                        + " amounts corrects it. A repeat has the same id and the same bytes. The"
                        + " key is the id of the lease.");
        channel.put("messages", Map.of(USAGE, AsyncApi.reference(AsyncApi.MESSAGES + USAGE)));
        return channel;
    }

    static Map<String, Object> messages() {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "org.leasehold.Usage");
        message.put("summary", "The usage of one resource of a lease");
        message.put("contentType", "application/json");
        message.put("headers", AsyncApi.reference(AsyncApi.SCHEMAS + "UsageHeaders"));
        message.put("payload", AsyncApi.reference(AsyncApi.SCHEMAS + "Usage"));
        message.put("bindings", Map.of("kafka", Map.of("key", Map.of(TYPE, "string"))));
        return Map.of(USAGE, message);
    }

    static Map<String, Object> schemas() {
        Map<String, Object> schemas = new LinkedHashMap<>();
        schemas.put("UsageHeaders", headers());
        schemas.put("Usage", payload());
        return schemas;
    }

    private static Map<String, Object> headers() {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", Map.of("const", "1.0"));
        headers.put("ce_id", AsyncApi.text("The id of the record"));
        headers.put(
                "ce_source",
                AsyncApi.text("The name of the engine (leasehold.gateway.installation)"));
        headers.put("ce_type", Map.of("const", "org.leasehold.Usage"));
        headers.put("ce_subject", AsyncApi.text("The project of the lease"));
        headers.put("ce_time", AsyncApi.text("The start of the usage"));
        headers.put("content-type", Map.of("const", "application/json"));
        headers.put("ce_dataversion", Map.of("const", "1"));
        return object(headers);
    }

    private static Map<String, Object> payload() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", AsyncApi.text("The id of the record; a repeat has the same one"));
        fields.put("project_id", AsyncApi.text("The project of the lease"));
        fields.put("lease_id", AsyncApi.text("The id of the lease"));
        fields.put("reservation_id", AsyncApi.text("The id of the reservation"));
        fields.put("kind", AsyncApi.text("The kind of the reservation"));
        fields.put("resource_id", described("integer", "The number of the resource"));
        fields.put("resource_name", AsyncApi.text("The name of the resource"));
        fields.put("resource_kind", AsyncApi.text("The kind of the resource"));
        Map<String, Object> properties =
                described("object", "The properties of the resource when it was granted");
        properties.put("additionalProperties", Map.of(TYPE, "string"));
        fields.put("properties", properties);
        fields.put(
                "slots",
                described("integer", "The reserved slots of the resource; 1 for the whole of it"));
        Map<String, Object> needs =
                described(
                        List.of("object", "null"),
                        "The needs of each slot, by resource class; null for the whole resource");
        needs.put("additionalProperties", Map.of(TYPE, "integer"));
        fields.put("needs", needs);
        fields.put("from", instant("The start of the usage, inclusive, in UTC"));
        fields.put("until", instant("The end of the usage, exclusive, in UTC"));
        fields.put("unit", Map.of("const", "s"));
        fields.put(
                "reserved",
                described("number", "Reserved seconds times slots: the sum of active and lost"));
        fields.put(
                "active",
                described("number", "Seconds times slots that were reserved and provided"));
        fields.put(
                "lost",
                described("number", "Seconds times slots that were reserved and not provided"));
        return object(fields);
    }

    private static Map<String, Object> instant(String description) {
        Map<String, Object> schema = AsyncApi.text(description);
        schema.put("format", "date-time");
        return schema;
    }

    private static Map<String, Object> described(Object type, String description) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, type);
        schema.put(DESCRIPTION, description);
        return schema;
    }

    private static Map<String, Object> object(Map<String, Object> fields) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, "object");
        schema.put("properties", fields);
        schema.put("required", List.copyOf(fields.keySet()));
        return schema;
    }
}
