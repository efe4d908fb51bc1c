package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.ApiClient.Answer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A recorder of examples for the API description: requests of a test and their responses. */
public final class ExampleRecorder {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The longest list in an example. */
    private static final int MAX_ITEMS = 2;

    private final Map<String, ObjectNode> examples = new TreeMap<>();

    /**
     * A request and its successful response.
     *
     * @param request the body; null if there is none
     */
    public record Example(String operationId, @Nullable JsonNode request, Answer answer) {}

    public void record(Example recorded) {
        ObjectNode example = JSON.createObjectNode();
        JsonNode request = recorded.request();
        if (request != null) {
            example.set("request", presentable("", request));
        }
        Answer answer = recorded.answer();
        example.put("status", answer.status());
        if (answer.header("Content-Type").startsWith("application/json")) {
            example.set("response", presentable("", answer.json()));
        }
        examples.put(recorded.operationId(), example);
    }

    /** Writes the file; operations without a successful response keep the example that they had. */
    public void write(Path file) throws IOException {
        if (examples.isEmpty()) {
            throw new IllegalStateException("no request was accepted");
        }
        JSON.readTree(Files.readString(file))
                .properties()
                .forEach(
                        example ->
                                examples.putIfAbsent(
                                        example.getKey(), (ObjectNode) example.getValue()));
        Files.writeString(file, JSON.writeValueAsString(examples) + "\n");
    }

    /** Shortens lists, and replaces secrets and what depends on the machine. */
    private static JsonNode presentable(String field, JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = JSON.createObjectNode();
                object.properties().stream()
                        // A validator of the description would follow it.
                        .filter(child -> !child.getKey().equals("$ref"))
                        .forEach(
                                child ->
                                        copy.set(
                                                child.getKey(),
                                                presentable(child.getKey(), child.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JSON.createArrayNode();
                array.valueStream()
                        .limit(MAX_ITEMS)
                        .forEach(item -> copy.add(presentable(field, item)));
                yield copy;
            }
            case StringNode text -> StringNode.valueOf(presentable(field, text.stringValue()));
            default -> value;
        };
    }

    private static String presentable(String field, String text) {
        if (field.equals("secret")) {
            return "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        }
        return text.replaceAll("http://(localhost|127\\.0\\.0\\.1):\\d+", "http://127.0.0.1:1234")
                .replaceAll("/calendar/[^/]+\\.ics", "/calendar/SECRET.ics");
    }
}
