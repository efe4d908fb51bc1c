package org.leasehold.gateway.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Schemas in a form that generators of clients can express. The API accepts more: a text where a
 * list or object may stand, as Blazar does. Generators make unusable types of such a choice, and of
 * a list that contains itself.
 */
final class GeneratorForms {

    private static final String CHOICE = "anyOf";
    private static final String DESCRIPTION = "description";

    private GeneratorForms() {}

    /** Returns the schema without a choice of a text, and without a reference to itself. */
    static Object simplify(String name, Object schema) {
        return switch (schema) {
            case Map<?, ?> fields -> simplifyFields(name, fields);
            case List<?> items -> {
                List<Object> all = new ArrayList<>();
                items.forEach(item -> all.add(item == null ? item : simplify(name, item)));
                yield all;
            }
            default -> schema;
        };
    }

    private static Map<String, Object> simplifyFields(String name, Map<?, ?> fields) {
        Map<String, Object> simple = new LinkedHashMap<>();
        fields.forEach(
                (key, value) ->
                        simple.put(
                                String.valueOf(key),
                                value == null ? value : simplify(name, value)));
        if (!(fields.get(CHOICE) instanceof List<?> choice)) {
            return simple;
        }
        if (choice.stream().anyMatch(each -> refersTo(name, each))) {
            return Map.of(DESCRIPTION, "A text, or a nested " + name + ".");
        }
        List<?> structured = choice.stream().filter(each -> !isText(each)).toList();
        if (structured.size() == 1
                && choice.size() == 2
                && structured.getFirst() instanceof Map<?, ?> only) {
            simple.remove(CHOICE);
            only.forEach((key, value) -> simple.putIfAbsent(String.valueOf(key), value));
        }
        return simple;
    }

    private static boolean refersTo(String name, Object alternative) {
        return alternative instanceof Map<?, ?> fields
                && String.valueOf(fields.get("$ref")).endsWith("/" + name);
    }

    private static boolean isText(Object alternative) {
        return alternative instanceof Map<?, ?> fields && "string".equals(fields.get("type"));
    }
}
