package org.leasehold.command.journal;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The topic of leases in the description of the messages to Kafka. */
final class LeasesTopic {

    private static final String LEASE = "Lease";
    private static final String THERE = "Lease.v1";
    private static final String GONE = "NoLease.v1";
    private static final String HEADERS = "LeaseHeaders";

    private LeasesTopic() {}

    static Map<String, Object> channel() {
        Map<String, Object> channel = new LinkedHashMap<>();
        channel.put("address", "leasehold.leases");
        channel.put(
                "description",
                "The existing leases, in a compacted topic: each lease as of its last event. The"
                    + " key is the id of the lease. A deleted lease has no value. A record whose"
                    + " ce_streamsequence is not greater than the last one is a repeat.");
        Map<String, Object> messages = new LinkedHashMap<>();
        messages.put(THERE, AsyncApi.reference(AsyncApi.MESSAGES + THERE));
        messages.put(GONE, AsyncApi.reference(AsyncApi.MESSAGES + GONE));
        channel.put("messages", messages);
        return channel;
    }

    static Map<String, Object> messages() {
        Map<String, Object> messages = new LinkedHashMap<>();
        messages.put(
                THERE,
                message(
                        "A lease, as GET /api/leases/{id} shows it to administrators",
                        AsyncApi.reference(AsyncApi.SCHEMAS + LEASE)));
        messages.put(GONE, message("A lease that was deleted", Map.of("type", "null")));
        return messages;
    }

    private static Map<String, Object> message(String summary, Map<String, Object> payload) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "org.leasehold.Lease");
        message.put("summary", summary);
        message.put("contentType", "application/json");
        message.put("headers", AsyncApi.reference(AsyncApi.SCHEMAS + HEADERS));
        message.put("payload", payload);
        message.put("bindings", Map.of("kafka", Map.of("key", Map.of("type", "string"))));
        return message;
    }

    /**
     * Returns the schemas of the messages; a lease has the same form as over HTTP.
     *
     * @param http the schemas of the HTTP API, by name
     */
    static Map<String, Object> schemas(JsonNode http) {
        Map<String, Object> schemas = new TreeMap<>();
        schemas.put(HEADERS, headers());
        addWithWhatItRefersTo(LEASE, http, schemas);
        return schemas;
    }

    private static void addWithWhatItRefersTo(
            String name, JsonNode http, Map<String, Object> schemas) {
        JsonNode schema = http.path(name);
        if (schemas.putIfAbsent(name, schema) == null) {
            for (String reference : schema.findValuesAsString("$ref")) {
                addWithWhatItRefersTo(
                        reference.substring(AsyncApi.SCHEMAS.length()), http, schemas);
            }
        }
    }

    private static Map<String, Object> headers() {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", Map.of("const", "1.0"));
        headers.put("ce_id", AsyncApi.text("The id of the last event of the lease, and /lease"));
        headers.put(
                "ce_source",
                AsyncApi.text("The name of the engine (leasehold.gateway.installation)"));
        headers.put("ce_type", Map.of("const", "org.leasehold.Lease"));
        headers.put("ce_subject", AsyncApi.text("The id of the lease"));
        headers.put("ce_time", AsyncApi.text("The time of the last event of the lease"));
        headers.put("content-type", Map.of("const", "application/json"));
        headers.put("ce_project", AsyncApi.text("The project of the lease"));
        headers.put("ce_position", AsyncApi.number("The position of that event in the event log"));
        headers.put(
                "ce_streamsequence",
                AsyncApi.number("The number of that event among those of the lease, from 0"));
        headers.put("ce_dataversion", Map.of("const", "1"));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", headers);
        schema.put("required", List.copyOf(headers.keySet()));
        return schema;
    }
}
