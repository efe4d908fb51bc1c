package org.leasehold.vocabulary;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The catalog of stored names. A type without a name is a defect. */
public final class StoredNames {

    private StoredNames() {}

    /**
     * Returns the stored name of a type.
     *
     * @throws IllegalStateException if it has none
     */
    public static String of(Class<?> type) {
        StoredName name = type.getAnnotation(StoredName.class);
        if (name == null) {
            throw new IllegalStateException(type.getName() + " has no stored name");
        }
        return name.value();
    }

    /**
     * Returns the stored names of a sealed type's members, including those of nested sealed types,
     * in the order of declaration.
     *
     * @throws IllegalStateException if a member has none, or two have the same
     */
    public static Map<Class<?>, String> ofMembers(Class<?> sealedType) {
        Map<Class<?>, String> names = new LinkedHashMap<>();
        Map<String, Class<?>> types = new HashMap<>();
        members(sealedType)
                .forEach(
                        type -> {
                            String name = of(type);
                            Class<?> other = types.putIfAbsent(name, type);
                            if (other != null) {
                                throw new IllegalStateException(
                                        "%s and %s have the same stored name: %s"
                                                .formatted(other.getName(), type.getName(), name));
                            }
                            names.put(type, name);
                        });
        return Collections.unmodifiableMap(names);
    }

    private static Stream<Class<?>> members(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(StoredNames::members)
                : Stream.of(type);
    }
}
