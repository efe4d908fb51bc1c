package org.leasehold.resource.requirement;

import org.leasehold.resource.parameter.FieldSchema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema of a parameter that holds a filter. */
public final class FilterSchema {

    private static final String NAME = "Filter";

    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Map<String, Object> REFERENCE = Map.of("$ref", "#/$defs/" + NAME);

    private static final Map<String, Object> FILTER =
            FieldSchema.typed(
                            "array",
                            "A requirement for each resource, in Blazar's language: [\"==\","
                                    + " \"$gpu\", \"V100\"], with and, or, not and in.")
                    .with("items", Map.of("anyOf", List.of(TEXT, REFERENCE)))
                    .keywords();

    private FilterSchema() {}

    /**
     * Returns the schema of a parameter.
     *
     * @param resources the name of the resources that it selects
     */
    public static FieldSchema of(String resources) {
        Map<String, Object> text = new LinkedHashMap<>(TEXT);
        text.put("maxLength", RequirementParser.MAX_LENGTH);
        Map<String, Object> keywords = new LinkedHashMap<>();
        keywords.put(
                "description",
                "A filter for the %s, as a list or as its text; empty for any."
                        .formatted(resources));
        keywords.put("anyOf", List.of(text, REFERENCE));
        return new FieldSchema(keywords, Map.of(NAME, FILTER));
    }
}
