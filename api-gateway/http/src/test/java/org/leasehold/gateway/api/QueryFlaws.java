package org.leasehold.gateway.api;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The defects of the parameters in a query. */
final class QueryFlaws {

    /** Parameters that accept a time in the past. */
    private static final Set<String> LOOKING_BACK =
            Set.of("from", "as_of", "before", "start_before", "end_after");

    /** Values that are defects elsewhere, and valid for these parameters. */
    private static final Map<String, String> NO_FLAWS =
            Map.ofEntries(
                    Map.entry("after", "0"),
                    Map.entry("wait", "PT0S"),
                    Map.entry("user", "nonsense"),
                    Map.entry("name", "nonsense"),
                    Map.entry("project", "nonsense"),
                    Map.entry("target", "nonsense"),
                    Map.entry("target_project", "nonsense"),
                    Map.entry("zone", "nonsense"),
                    Map.entry("by", "nonsense"),
                    Map.entry("action", "nonsense"),
                    Map.entry("filter", "nonsense"));

    private QueryFlaws() {}

    /** Returns invalid values of a parameter. */
    static List<String> of(String name, JsonNode schema) {
        List<String> values = new ArrayList<>(List.of("", " ", "nonsense", "non\0sense"));
        if (OpenApiDocument.isOf(schema, "integer")) {
            values.addAll(List.of("-1", "0", "1.5", "99999999999999999999"));
        }
        switch (schema.path("format").asString("")) {
            case "date-time" -> {
                values.addAll(List.of("7", "2099-01-01", "+999999999-01-01T00:00:00Z"));
                if (!LOOKING_BACK.contains(name)) {
                    values.add("1999-12-31T23:59:59Z");
                }
            }
            case "duration" -> values.addAll(List.of("7", "-PT1H", "PT0S", "P99999999999D"));
            default -> {}
        }
        values.remove(NO_FLAWS.get(name));
        return values;
    }
}
