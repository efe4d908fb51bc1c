package org.leasehold.resource.parameter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON Schema of one parameter.
 *
 * @param keywords JSON Schema's keywords, with JSON values
 * @param definitions the schemas to which it refers as {@code #/$defs/<name>}, by name
 */
public record FieldSchema(Map<String, Object> keywords, Map<String, Object> definitions) {

    private static final String TYPE = "type";
    private static final String DESCRIPTION = "description";

    public FieldSchema {
        keywords = Collections.unmodifiableMap(new LinkedHashMap<>(keywords));
        definitions = Map.copyOf(definitions);
    }

    /** Returns a schema without references. */
    public static FieldSchema of(Map<String, Object> keywords) {
        return new FieldSchema(keywords, Map.of());
    }

    /** Returns the schema of a whole number. */
    public static FieldSchema integer(long minimum, long maximum, String description) {
        return typed("integer", description).with("minimum", minimum).with("maximum", maximum);
    }

    /** Returns the schema of a text. */
    public static FieldSchema text(int minLength, int maxLength, String description) {
        return typed("string", description)
                .with("minLength", minLength)
                .with("maxLength", maxLength);
    }

    /** Returns the schema of a UUID. */
    public static FieldSchema uuid(String description) {
        return typed("string", description).with("format", "uuid");
    }

    /** Returns the schema of true or false. */
    public static FieldSchema bool(String description) {
        return typed("boolean", description);
    }

    /** Returns the schema of one of a set of words. */
    public static FieldSchema words(List<String> words, String description) {
        return typed("string", description).with("enum", List.copyOf(words));
    }

    /** Returns the schema of a keyword. */
    public static <W extends Enum<W> & ParameterKeyword> FieldSchema words(
            Class<W> words, String description) {
        return words(ParameterKeyword.all(words), description);
    }

    /** Returns the schema of a value of a type. */
    public static FieldSchema typed(String type, String description) {
        Map<String, Object> keywords = new LinkedHashMap<>();
        keywords.put(TYPE, type);
        keywords.put(DESCRIPTION, description);
        return of(keywords);
    }

    /** Returns the same schema with one more keyword, or another value of it. */
    public FieldSchema with(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(keywords);
        more.put(keyword, value);
        return new FieldSchema(more, definitions);
    }
}
