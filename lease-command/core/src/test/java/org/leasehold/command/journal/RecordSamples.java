package org.leasehold.command.journal;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Creates sample records, so that golden files show all components of a type, also future ones. */
public final class RecordSamples {

    private static final Instant FIRST = Instant.parse("2030-01-01T00:00:00Z");

    /** A text that every type of the contract accepts. */
    private static final String TEXT = "text";

    private Instant next = FIRST;

    private RecordSamples() {}

    /** Returns a sample of a record, an enum or a member of a sealed interface. */
    public static <T> T of(Class<T> type) {
        return type.cast(new RecordSamples().value(type));
    }

    /** Returns the records and enums of a sealed interface, also of nested ones. */
    public static Stream<Class<?>> members(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(RecordSamples::members)
                : Stream.of(type);
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            return collection(generic);
        }
        if (!(type instanceof Class<?> plain)) {
            return TEXT;
        }
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[0];
        }
        return plain.isSealed() ? value(members(plain).findFirst().orElseThrow()) : simple(plain);
    }

    private Object simple(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String", "java.lang.Object" -> TEXT;
            case "int", "java.lang.Integer" -> 1;
            case "long", "java.lang.Long" -> 1L;
            case "boolean", "java.lang.Boolean" -> true;
            case "java.math.BigDecimal" -> BigDecimal.ONE;
            case "java.util.UUID" -> new UUID(0, 1);
            case "java.time.Duration" -> Duration.ofHours(1);
            case "java.time.Instant" -> {
                // Later than the one before: an end comes after its start.
                next = next.plus(Duration.ofHours(1));
                yield next;
            }
            default -> throw new IllegalArgumentException("no sample of " + type);
        };
    }

    private Object collection(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        Class<?> raw = (Class<?>) type.getRawType();
        if (raw == List.class) {
            return List.of(value(arguments[0]));
        }
        if (raw == Set.class) {
            return Set.of(value(arguments[0]));
        }
        if (raw == Map.class) {
            return Map.of(value(arguments[0]), value(arguments[1]));
        }
        throw new IllegalArgumentException("no sample of " + type);
    }

    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(c -> c.getType()).toArray(Class<?>[]::new);
        Object[] values = Stream.of(components).map(c -> value(c.getGenericType())).toArray();
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no sample of " + type, e);
        }
    }
}
