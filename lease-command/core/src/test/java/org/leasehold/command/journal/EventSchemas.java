package org.leasehold.command.journal;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * JSON Schemas of records as {@link EventJson} writes them. A record whose only component is called
 * {@code value} is that value, nulls are omitted, and {@code type} names the member of a sealed
 * interface. Additional fields are allowed, because later versions may add some.
 */
final class EventSchemas {

    private final Map<String, Object> named = new TreeMap<>();

    /** Returns the schemas of all requested records and their nested ones, by name. */
    Map<String, Object> named() {
        return named;
    }

    /** Returns the schema of a type, which may refer to others. */
    Map<String, Object> of(Class<?> type) {
        if (type.isRecord()) {
            RecordComponent[] components = type.getRecordComponents();
            if (components.length == 1 && components[0].getName().equals("value")) {
                return of(components[0].getAnnotatedType());
            }
            return reference(type, () -> record(components));
        }
        if (type.isSealed()) {
            return reference(type, () -> union(type));
        }
        if (type.isEnum()) {
            return ordered(
                    "type",
                    "string",
                    "enum",
                    Stream.of(type.getEnumConstants()).map(Object::toString).toList());
        }
        return plain(type);
    }

    private static Map<String, Object> plain(Class<?> type) {
        if (type == String.class) {
            return Map.of("type", "string");
        }
        if (type == UUID.class) {
            return ordered("type", "string", "format", "uuid");
        }
        if (type == Instant.class) {
            return ordered("type", "string", "format", "date-time");
        }
        if (type == Duration.class) {
            return ordered("type", "string", "format", "duration");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        }
        if (Set.of(int.class, long.class, Integer.class, Long.class).contains(type)) {
            return Map.of("type", "integer");
        }
        if (type == Object.class) {
            return Map.of();
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    private Map<String, Object> of(AnnotatedType annotated) {
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType generic
                && ((ParameterizedType) type).getRawType() instanceof Class<?> raw) {
            AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
            if (Collection.class.isAssignableFrom(raw)) {
                return ordered("type", "array", "items", of(arguments[0]));
            }
            if (Map.class.isAssignableFrom(raw)) {
                return ordered("type", "object", "additionalProperties", of(arguments[1]));
            }
        }
        if (type instanceof Class<?> plain) {
            return of(plain);
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    private Map<String, Object> record(RecordComponent[] components) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (RecordComponent component : components) {
            properties.put(component.getName(), of(component.getAnnotatedType()));
            if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                required.add(component.getName());
            }
        }
        Map<String, Object> schema = ordered("type", "object", "properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    private Map<String, Object> union(Class<?> type) {
        List<Object> members = new ArrayList<>();
        for (Class<?> member : type.getPermittedSubclasses()) {
            Map<String, Object> schema = record(member.getRecordComponents());
            members.add(
                    Map.of(
                            "allOf",
                            List.of(
                                    schema,
                                    ordered(
                                            "properties",
                                            Map.of("type", Map.of("const", member.getSimpleName())),
                                            "required",
                                            List.of("type")))));
        }
        return Map.of("oneOf", members);
    }

    private Map<String, Object> reference(Class<?> type, Supplier<Map<String, Object>> schema) {
        String name = type.getSimpleName();
        if (!named.containsKey(name)) {
            // Before the schemas of its parts: one of them may have the same type.
            named.put(name, Map.of());
            named.put(name, schema.get());
        }
        return Map.of("$ref", "#/components/schemas/" + name);
    }

    private static Map<String, Object> ordered(
            String name, Object value, String nextName, Object nextValue) {
        Map<String, Object> ordered = new LinkedHashMap<>();
        ordered.put(name, value);
        ordered.put(nextName, nextValue);
        return ordered;
    }
}
