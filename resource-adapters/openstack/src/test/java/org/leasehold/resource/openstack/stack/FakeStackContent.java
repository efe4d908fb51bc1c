package org.leasehold.resource.openstack.stack;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The responses of the fake Heat about the content of a stack, and about a template's. */
final class FakeStackContent {

    private static final String PARAMETERS = "parameters";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private FakeStackContent() {}

    static JsonNode json(Object value) {
        return JSON.valueToTree(value);
    }

    /** Returns a stack as Heat shows it. */
    static Map<String, Object> shown(Stack stack) {
        Map<String, Object> fields =
                new TreeMap<>(
                        Map.of(
                                "id",
                                stack.id,
                                "stack_name",
                                stack.name,
                                "stack_status",
                                stack.status,
                                "stack_status_reason",
                                stack.reason,
                                "tags",
                                List.of(stack.tag)));
        if (stack.updates > 0) {
            fields.put("updated_time", "update " + stack.updates);
        }
        return fields;
    }

    /** Returns a stack as Heat shows it in a list. */
    static Map<String, Object> listed(Stack stack) {
        Map<String, Object> fields = shown(stack);
        fields.remove("tags");
        fields.put("project", stack.project);
        return fields;
    }

    /** Returns a request with its values of parameters as texts. */
    static JsonNode withTexts(JsonNode request) {
        ObjectNode changed = object(request);
        ObjectNode values = changed.putObject(PARAMETERS);
        request.path(PARAMETERS)
                .forEachEntry((name, value) -> values.put(name, value.asString("")));
        return changed;
    }

    /** Returns a part of a stack's content. */
    static Said of(Stack stack, String what) {
        return switch (what) {
            case "environment" -> Said.json(200, environment(stack));
            default -> Said.json(200, object(stack.content.path(what)));
        };
    }

    private static Map<String, Object> environment(Stack stack) {
        JsonNode requested = stack.content.path("environment");
        ObjectNode registry = (ObjectNode) json(stack.registry);
        return Map.of(
                PARAMETERS,
                values(stack.content),
                "parameter_defaults",
                object(requested.path("parameter_defaults")),
                "resource_registry",
                registry.setAll(object(requested.path("resource_registry"))));
    }

    /** Heat stores the request's values of parameters in its environment. */
    private static ObjectNode values(JsonNode content) {
        ObjectNode values = object(content.path("environment").path(PARAMETERS));
        return values.setAll(object(content.path(PARAMETERS)));
    }

    private static ObjectNode object(JsonNode node) {
        return node instanceof ObjectNode object ? object.deepCopy() : JSON.createObjectNode();
    }

    /** Returns what a template would create. */
    static Said preview(Asked request) {
        String name = request.body().path("stack_name").asString("");
        JsonNode resources = request.body().path("template").path("resources");
        if (!resources.isObject()) {
            return FakeHeat.refused(400, "The template is invalid");
        }
        List<Object> made = new ArrayList<>();
        resources.forEachEntry(
                (each, resource) ->
                        made.add(
                                resource.path("type").asString("").equals(FakeHeat.GROUP)
                                        ? List.of(
                                                previewed(
                                                        name + "-" + each,
                                                        "0",
                                                        resource.path("properties")
                                                                .path("resource_def")))
                                        : previewed(name, each, resource)));
        return Said.json(200, Map.of("stack", Map.of("resources", made)));
    }

    private static Map<String, Object> previewed(String stack, String name, JsonNode resource) {
        return Map.of(
                "stack_name",
                stack,
                "resource_name",
                name,
                "resource_type",
                resource.path("type").asString(""),
                "properties",
                resource.path("properties"),
                "metadata",
                resource.path("metadata"));
    }
}
