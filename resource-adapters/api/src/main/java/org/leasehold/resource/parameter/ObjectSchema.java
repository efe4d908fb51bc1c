package org.leasehold.resource.parameter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The JSON Schema of the parameters of a reservation. An instance never changes. */
public final class ObjectSchema {

    private final Map<String, FieldSchema> fields;
    private final List<String> required;
    private final Map<String, Object> rules;

    private ObjectSchema(
            Map<String, FieldSchema> fields, List<String> required, Map<String, Object> rules) {
        this.fields = Collections.unmodifiableMap(fields);
        this.required = List.copyOf(required);
        this.rules = Collections.unmodifiableMap(rules);
    }

    /** Returns a schema without parameters. */
    public static ObjectSchema empty() {
        return new ObjectSchema(new LinkedHashMap<>(), List.of(), new LinkedHashMap<>());
    }

    /** Returns the same schema with one more parameter. */
    public ObjectSchema with(String name, FieldSchema field) {
        Map<String, FieldSchema> more = new LinkedHashMap<>(fields);
        more.put(name, field);
        return new ObjectSchema(more, required, rules);
    }

    /** Returns the same schema with more parameters that a request must have. */
    public ObjectSchema requiring(String... names) {
        List<String> more = new ArrayList<>(required);
        more.addAll(List.of(names));
        return new ObjectSchema(fields, more, rules);
    }

    /** Returns the same schema with a rule about the object as a whole. */
    public ObjectSchema withRule(String keyword, Object rule) {
        Map<String, Object> more = new LinkedHashMap<>(rules);
        more.put(keyword, rule);
        return new ObjectSchema(fields, required, more);
    }

    /** Returns the schema as JSON. It refuses all other parameters. */
    public Map<String, Object> json() {
        Map<String, Object> properties = new LinkedHashMap<>();
        Map<String, Object> definitions = new TreeMap<>();
        fields.forEach(
                (name, field) -> {
                    properties.put(name, field.keywords());
                    definitions.putAll(field.definitions());
                });
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        schema.putAll(rules);
        if (!definitions.isEmpty()) {
            schema.put("$defs", definitions);
        }
        return Collections.unmodifiableMap(schema);
    }
}
