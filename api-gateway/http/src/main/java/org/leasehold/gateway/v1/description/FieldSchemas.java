package org.leasehold.gateway.v1.description;

import io.swagger.v3.oas.models.media.Schema;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builders of the descriptions of fields; each has the meaning and the form of a field. */
final class FieldSchemas {

    private static final String MINUTE = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\\s+[0-9]{1,2}:[0-9]{1,2}";
    private static final String MICROSECOND_PATTERN =
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}";
    private static final String SECONDS = "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}";

    static final String LEASE_ID = "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10";
    static final String RESERVATION_ID = "0cd4d562-a4bf-409f-934f-82ec33c76bd7";
    static final String EXAMPLE_TIMESTAMP = "2026-11-21 00:33:09";
    static final String START = "2026-11-21T00:33:00.000000";
    static final String END = "2026-11-21T02:33:00.000000";

    private FieldSchemas() {}

    static Schema<?> text(String description) {
        return of("string", description, null);
    }

    static Schema<?> text(String description, String example) {
        return of("string", description, example);
    }

    static Schema<?> uuid(String description, String example) {
        Schema<?> schema = text(description, example);
        schema.setFormat("uuid");
        return schema;
    }

    static Schema<?> number(String description, int example) {
        return of("integer", description, example);
    }

    static Schema<?> flag(String description, boolean example) {
        return of("boolean", description, example);
    }

    /**
     * Returns a field that is always null: clients expect its key. Generators for Python reject a
     * lone null type.
     */
    static Schema<?> alwaysNull(String description) {
        return orNull(text(description));
    }

    static Schema<?> oneOf(String description, String... words) {
        Schema<String> schema = new Schema<>();
        schema.addType("string");
        schema.setDescription(description);
        schema.setExample(words[0]);
        schema.setEnum(List.of(words));
        return schema;
    }

    /** Returns a date in a request, or one of the texts that stand for one. */
    static Schema<?> minuteDate(String description, String example, String... orElse) {
        Schema<?> schema = text(description + " UTC, YYYY-MM-DD HH:MM.", example);
        schema.setPattern(
                "^("
                        + String.join(
                                "|", Stream.concat(Stream.of(MINUTE), Stream.of(orElse)).toList())
                        + ")$");
        return schema;
    }

    /** Returns a date in a response, always with six digits. */
    static Schema<?> microsecondDate(String description, String example) {
        Schema<?> schema = text(description + " UTC, with microseconds.", example);
        schema.setPattern("^" + MICROSECOND_PATTERN + "$");
        return schema;
    }

    /** Returns the time of a creation or a change. */
    static Schema<?> secondDate(String description, String example) {
        Schema<?> schema = text(description + " UTC.", example);
        schema.setPattern("^" + SECONDS + "$");
        return schema;
    }

    /** Returns a number of hosts, also as a text of digits. */
    static Schema<?> count(String description, int max) {
        Schema<?> schema = number(description, 1);
        schema.addType("string");
        schema.setMinimum(BigDecimal.ONE);
        schema.setMaximum(BigDecimal.valueOf(max));
        schema.setPattern("^[1-9][0-9]*$");
        return schema;
    }

    static Schema<?> list(String description, Schema<?> item) {
        Schema<?> schema = of("array", description, null);
        schema.setItems(item);
        return schema;
    }

    static Schema<?> reference(String name) {
        return new Schema<>().$ref("#/components/schemas/" + name);
    }

    static Schema<?> reference(String name, String description) {
        Schema<?> schema = reference(name);
        schema.setDescription(description);
        return schema;
    }

    static Schema<?> orNull(Schema<?> schema) {
        schema.addType("null");
        return schema;
    }

    static Schema<?> anyOf(String description, Schema<?>... alternatives) {
        Schema<?> schema = new Schema<>();
        schema.setDescription(description);
        Stream.of(alternatives).forEach(schema::addAnyOfItem);
        return schema;
    }

    private static Schema<?> of(String type, String description, @Nullable Object example) {
        Schema<?> schema = new Schema<>();
        schema.addType(type);
        schema.setDescription(description);
        if (example != null) {
            schema.setExample(example);
        }
        return schema;
    }

    static Schema<?> lastChangedAt() {
        return orNull(secondDate("When it last changed; null before.", EXAMPLE_TIMESTAMP));
    }

    static Schema<?> digits(String description, String example) {
        Schema<?> schema = text(description, example);
        schema.setPattern("^[0-9]+$");
        return schema;
    }

    static Schema<?> wrapper(String description, String field, String content) {
        return message(description).withRequired(field, reference(content, description)).closed();
    }

    static Schema<?> wrapperOfAll(String description, String field, String content) {
        return message(description)
                .withRequired(field, list(description, reference(content)))
                .closed();
    }

    static Message message(String description) {
        return new Message(description);
    }

    /** A builder of an object, field by field. */
    static final class Message {

        private final Schema<?> schema;
        private final Map<String, Schema<?>> required = new LinkedHashMap<>();

        private Message(String description) {
            schema = of("object", description, null);
        }

        /** Adds a required field. */
        Message withRequired(String name, Schema<?> field) {
            required.put(name, field);
            return withOptional(name, field);
        }

        Message withOptional(String name, Schema<?> field) {
            schema.addProperty(name, field);
            return this;
        }

        /** Returns the object without other fields. */
        Schema<?> closed() {
            schema.setAdditionalProperties(false);
            return open();
        }

        /** Returns the object with other fields of this form. */
        Schema<?> withOthers(Schema<?> field) {
            schema.setAdditionalProperties(field);
            return open();
        }

        /** Returns the object; other fields have no effect. */
        Schema<?> open() {
            if (!required.isEmpty()) {
                schema.setRequired(required.keySet().stream().sorted().toList());
            }
            return schema;
        }
    }
}
