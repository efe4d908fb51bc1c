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
                "What leases had of what they were promised, in records that are added up: all of a"
                        + " lease come to its account. A record never changes; what turns out to"
                        + " have been otherwise is taken back by another one, with negative"
                        + " amounts. A repeat has the same id, and the same bytes. The key is the"
                        + " lease's id.");
        channel.put("messages", Map.of(USAGE, AsyncApi.reference(AsyncApi.MESSAGES + USAGE)));
        return channel;
    }

    static Map<String, Object> messages() {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "org.leasehold.Usage");
        message.put("summary", "What became known of one resource of a lease");
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
        headers.put("ce_id", AsyncApi.text("The record's id"));
        headers.put(
                "ce_source",
                AsyncApi.text("The engine, as leasehold.gateway.installation names it"));
        headers.put("ce_type", Map.of("const", "org.leasehold.Usage"));
        headers.put("ce_subject", AsyncApi.text("The lease's project"));
        headers.put("ce_time", AsyncApi.text("When the usage began that it tells of"));
        headers.put("content-type", Map.of("const", "application/json"));
        headers.put("ce_dataversion", Map.of("const", "1"));
        return object(headers);
    }

    private static Map<String, Object> payload() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", AsyncApi.text("By which a repeat is known"));
        fields.put("project_id", AsyncApi.text("Whose lease it is"));
        fields.put("lease_id", AsyncApi.text("The lease"));
        fields.put("reservation_id", AsyncApi.text("The reservation of the lease"));
        fields.put("kind", AsyncApi.text("The kind that was asked for"));
        fields.put("resource_id", described("integer", "The resource"));
        fields.put("resource_name", AsyncApi.text("What people and the cloud call it"));
        fields.put("resource_kind", AsyncApi.text("The kind of the resource"));
        Map<String, Object> properties =
                described("object", "What the resource was like when it was granted");
        properties.put("additionalProperties", Map.of(TYPE, "string"));
        fields.put("properties", properties);
        fields.put("slots", described("integer", "How many of it were promised; 1 for all of it"));
        Map<String, Object> needs =
                described(
                        List.of("object", "null"),
                        "What each slot takes, by resource class; null for all of it");
        needs.put("additionalProperties", Map.of(TYPE, "integer"));
        fields.put("needs", needs);
        fields.put("from", instant("When it begins that the record tells of, in UTC"));
        fields.put("until", instant("When it ends, this instant excluded, in UTC"));
        fields.put("unit", Map.of("const", "s"));
        fields.put(
                "reserved",
                described("number", "Seconds times slots that were promised: active and lost"));
        fields.put(
                "active", described("number", "Seconds times slots that were promised and given"));
        fields.put(
                "lost", described("number", "Seconds times slots that were promised, not given"));
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
