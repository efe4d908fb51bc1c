package org.leasehold.command.journal;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The AsyncAPI 3 description of the messages to Kafka: every event of the catalog. */
final class AsyncApi {

    static final String SCHEMAS = "#/components/schemas/";

    static final String MESSAGES = "#/components/messages/";
    private static final String STRING = "string";

    private AsyncApi() {}

    /**
     * Returns the whole document.
     *
     * @param http the name of the schemas in the description of the HTTP API
     */
    static Map<String, Object> of(EventCatalog catalog, JsonNode http) {
        EventSchemas schemas = new EventSchemas();
        Map<String, Object> messages = new LinkedHashMap<>();
        Map<String, Object> ofTheTopic = new LinkedHashMap<>();
        for (EventCatalog.Entry event : catalog.entries()) {
            String name = name(event);
            messages.put(name, message(event, schemas.of(event.type())));
            ofTheTopic.put(name, reference(MESSAGES + name));
        }
        schemas.named().put("CloudEventHeaders", headers());
        messages.putAll(LeasesTopic.messages());
        schemas.named().putAll(LeasesTopic.schemas(http));
        messages.putAll(UsageTopic.messages());
        schemas.named().putAll(UsageTopic.schemas());

        Map<String, Object> document = new LinkedHashMap<>();
        document.put("asyncapi", "3.0.0");
        document.put("info", info());
        document.put("defaultContentType", "application/json");
        Map<String, Object> channels = new LinkedHashMap<>();
        channels.put("events", channel(ofTheTopic));
        channels.put("leases", LeasesTopic.channel());
        channels.put("usage", UsageTopic.channel());
        document.put("channels", channels);
        Map<String, Object> operations = new LinkedHashMap<>();
        operations.put("publishEvents", operation("events"));
        operations.put("publishLeases", operation("leases"));
        operations.put("publishUsage", operation("usage"));
        document.put("operations", operations);
        document.put("components", components(messages, schemas.named()));
        return document;
    }

    static String name(EventCatalog.Entry event) {
        return event.name() + ".v" + event.version();
    }

    private static Map<String, Object> info() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("title", "Leasehold's events");
        info.put("version", "1");
        info.put(
                "description",
                "All events of leases and resources, the existing leases, and usage, as CloudEvents"
                    + " 1.0 in binary mode. Each event is sent at least once, and a repeat has the"
                    + " same ce_id. Events with the same key are in order. To process each once,"
                    + " skip those whose ce_streamsequence is not greater than the last one."
                    + " ce_projectsequence numbers the events of a project from 1 without a gap, so"
                    + " that you can detect a loss. New fields may be added; existing fields keep"
                    + " their meaning.");
        info.put("license", Map.of("name", "Apache-2.0"));
        return info;
    }

    private static Map<String, Object> channel(Map<String, Object> messages) {
        Map<String, Object> channel = new LinkedHashMap<>();
        channel.put("address", "leasehold.events");
        channel.put(
                "description",
                "All events of all projects. The key is the id of the lease, or the type and the id"
                        + " of another subject, such as resource:7.");
        channel.put("messages", messages);
        return channel;
    }

    private static Map<String, Object> operation(String channel) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("action", "send");
        operation.put("channel", reference("#/channels/" + channel));
        return operation;
    }

    private static Map<String, Object> components(
            Map<String, Object> messages, Map<String, Object> schemas) {
        Map<String, Object> components = new LinkedHashMap<>();
        components.put("messages", messages);
        components.put("schemas", schemas);
        return components;
    }

    private static Map<String, Object> message(
            EventCatalog.Entry event, Map<String, Object> payload) {
        Map<String, Object> own = new LinkedHashMap<>();
        own.put("ce_type", Map.of("const", "org.leasehold." + event.name()));
        own.put("ce_dataversion", Map.of("const", Integer.toString(event.version())));
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "org.leasehold." + event.name());
        message.put("contentType", "application/json");
        message.put(
                "headers",
                Map.of(
                        "allOf",
                        List.of(
                                reference(SCHEMAS + "CloudEventHeaders"),
                                Map.of("properties", own))));
        message.put("payload", payload);
        message.put("bindings", Map.of("kafka", Map.of("key", Map.of("type", STRING))));
        return message;
    }

    private static Map<String, Object> headers() {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", Map.of("const", "1.0"));
        headers.put("ce_id", text("The id of the event; a repeat has the same one"));
        headers.put(
                "ce_source",
                text(
                        "The name of the engine (leasehold.gateway.installation), with ?epoch=N"
                                + " after the database has lost events"));
        headers.put("ce_type", text("org.leasehold. and the name of the event"));
        headers.put("ce_subject", text("The id of the lease or resource"));
        headers.put("ce_time", text("The time of the event"));
        headers.put("ce_recordedtime", text("The time at which the event was stored"));
        headers.put("content-type", Map.of("const", "application/json"));
        headers.put("ce_project", text("The project of the lease; - if there is none"));
        headers.put(
                "ce_projectsequence", number("The number among the events of the project, from 1"));
        headers.put("ce_position", number("The position in the event log, increasing"));
        headers.put(
                "ce_streamsequence", number("The number among the events of the subject, from 0"));
        headers.put("ce_dataversion", number("The version of the format of the data"));
        List<String> required = List.copyOf(headers.keySet());
        headers.put("ce_userid", text("The user; left out for an action of the engine"));
        headers.put("ce_requestid", text("The id of the request that caused the event"));
        headers.put("ce_causationid", text("The id of the event that caused this one"));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", headers);
        schema.put("required", required);
        return schema;
    }

    static Map<String, Object> text(String description) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", STRING);
        schema.put("description", description);
        return schema;
    }

    static Map<String, Object> number(String description) {
        Map<String, Object> schema = text(description);
        schema.put("pattern", "^[0-9]+$");
        return schema;
    }

    static Map<String, Object> reference(String to) {
        return Map.of("$ref", to);
    }
}
