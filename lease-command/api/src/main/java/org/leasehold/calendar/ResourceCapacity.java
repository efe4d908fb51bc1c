package org.leasehold.calendar;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the capacity of a resource from its properties. */
public final class ResourceCapacity {

    private static final Map<String, String> PROPERTIES =
            Map.of("VCPU", "vcpus", "MEMORY_MB", "memory_mb", "DISK_GB", "local_gb");

    private static final Map<String, String> CLASSES =
            PROPERTIES.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /** Number of digits of the largest long. */
    private static final int MAX_DIGITS = 19;

    private ResourceCapacity() {}

    /** Returns the property that states the capacity for a resource class. */
    public static String propertyOf(String resourceClass) {
        return PROPERTIES.getOrDefault(resourceClass, resourceClass);
    }

    /** Returns the resource class whose capacity a property states. */
    public static String resourceClassOf(String property) {
        return CLASSES.getOrDefault(property, property);
    }

    /** Returns the capacity for a resource class; 0 if no property states it. */
    public static long of(Map<String, String> properties, String resourceClass) {
        return amount(properties.get(propertyOf(resourceClass)));
    }

    /** Returns the positive amounts among the properties, by property. */
    public static Map<String, Long> amounts(Map<String, String> properties) {
        Map<String, Long> amounts = new HashMap<>();
        properties.forEach(
                (name, value) -> {
                    long amount = amount(value);
                    if (amount > 0) {
                        amounts.put(name, amount);
                    }
                });
        return amounts;
    }

    private static long amount(@Nullable String value) {
        // Most properties are words; an exception for each of them would be slow.
        if (value == null || value.isEmpty() || Character.isLetter(value.charAt(0))) {
            return 0;
        }
        try {
            BigDecimal number = new BigDecimal(value);
            // A value such as 1E999999999 is short, but its long form would fill the memory.
            return number.precision() - (long) number.scale() > MAX_DIGITS
                    ? 0
                    : number.setScale(0, RoundingMode.FLOOR).longValueExact();
        } catch (NumberFormatException | ArithmeticException notAnAmount) {
            return 0;
        }
    }
}
