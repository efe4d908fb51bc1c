package org.leasehold.gateway.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Variants of a valid body of Blazar's API, each with one change. */
final class BlazarBodyVariants {

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "0",
                    "-1",
                    "7",
                    "1.5",
                    "10001",
                    "9223372036854775807",
                    "99999999999999999999999999",
                    "1e400",
                    "1e2147483647",
                    "\"\"",
                    "\" \"",
                    "\"nonsense\"",
                    "\"now\"",
                    "\"a\\u0000b\"",
                    "\"\\ud800\"",
                    "\"" + "x".repeat(100_000) + "\"",
                    "\"1999-12-31 23:59\"",
                    "\"2030-02-30 00:00\"",
                    "\"9999-12-31 23:59\"",
                    "\"2030-01-01T00:00:00Z\"",
                    "\"[]\"",
                    "\"[\\\"==\\\", \\\"$gpu\\\", \\\"V100\\\"]\"",
                    "[]",
                    "[null]",
                    "[[]]",
                    "[7]",
                    "{}",
                    "{\"\": null}",
                    "{\"a\": {}}",
                    "[".repeat(600) + "]".repeat(600));

    private static final String MARK = "the-flaw";

    /** A valid body with a change. */
    record Variant(String name, String body) {}

    private BlazarBodyVariants() {}

    /** Returns the body without a field, with many values in it, and with unknown fields. */
    static List<Variant> of(JsonNode valid) {
        List<Variant> variants = new ArrayList<>();
        for (String pointer : pointers(valid, "")) {
            JsonNode without = valid.deepCopy();
            if (parent(without, pointer) instanceof ObjectNode object) {
                object.remove(name(pointer));
                variants.add(new Variant(pointer + " missing", without.toString()));
            }
            for (String value : VALUES) {
                JsonNode body = valid.deepCopy();
                switch (parent(body, pointer)) {
                    case ObjectNode object -> object.put(name(pointer), MARK);
                    case ArrayNode list -> list.set(Integer.parseInt(name(pointer)), MARK);
                    default -> throw new AssertionError(pointer);
                }
                String shown = value.length() > 40 ? value.substring(0, 40) + "…" : value;
                variants.add(
                        new Variant(
                                pointer + " = " + shown,
                                body.toString().replace("\"" + MARK + "\"", value)));
            }
        }
        for (String name :
                List.of("", "unknown", "events", "id", "status", "a\\u0000b", "\\udfff")) {
            String more = "{\"" + name + "\": 1" + (valid.isEmpty() ? "" : ", ");
            variants.add(new Variant("with " + name, more + valid.toString().substring(1)));
        }
        return variants;
    }

    private static List<String> pointers(JsonNode node, String prefix) {
        List<String> pointers = new ArrayList<>();
        node.forEachEntry(
                (field, value) -> {
                    pointers.add(prefix + "/" + field);
                    pointers.addAll(pointers(value, prefix + "/" + field));
                });
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            pointers.add(prefix + "/" + i);
            pointers.addAll(pointers(node.get(i), prefix + "/" + i));
        }
        return pointers;
    }

    private static JsonNode parent(JsonNode tree, String pointer) {
        return tree.at(pointer.substring(0, pointer.lastIndexOf('/')));
    }

    private static String name(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }
}
