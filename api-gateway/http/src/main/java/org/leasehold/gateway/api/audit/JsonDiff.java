package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The fields in which two states differ, each by its path: names with dots between them, and the
 * ids of items in lists.
 *
 * @param before the old values; a field that did not exist is not in it
 * @param after the new values
 */
record JsonDiff(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {

    private static final String ID = "id";

    /**
     * Compares two states.
     *
     * @param before null if there was no old state
     * @param after null if there is no new state
     */
    static JsonDiff between(@Nullable JsonNode before, @Nullable JsonNode after) {
        var differences = new JsonDiff(new LinkedHashMap<>(), new LinkedHashMap<>());
        JsonNode nothing = JsonNodeFactory.instance.objectNode();
        differences.compareFields(
                "", before == null ? nothing : before, after == null ? nothing : after);
        return differences;
    }

    private void compare(String path, JsonNode one, JsonNode other) {
        if (one.isObject() && other.isObject()) {
            compareFields(path + ".", one, other);
        } else if (haveIds(one) && haveIds(other)) {
            compareFields(path + ".", byId(one), byId(other));
        } else if (!one.equals(other)) {
            put(before, path, one);
            put(after, path, other);
        }
    }

    private void compareFields(String prefix, JsonNode one, JsonNode other) {
        Set<String> names = new LinkedHashSet<>(one.propertyNames());
        names.addAll(other.propertyNames());
        names.forEach(name -> compare(prefix + name, one.path(name), other.path(name)));
    }

    private static boolean haveIds(JsonNode list) {
        return list.isArray() && list.valueStream().allMatch(item -> item.has(ID));
    }

    private static JsonNode byId(JsonNode list) {
        var items = JsonNodeFactory.instance.objectNode();
        list.forEach(item -> items.set(item.path(ID).asString(), item));
        return items;
    }

    private static void put(Map<String, @Nullable Object> fields, String path, JsonNode value) {
        if (!value.isMissingNode()) {
            fields.put(path, value);
        }
    }
}
