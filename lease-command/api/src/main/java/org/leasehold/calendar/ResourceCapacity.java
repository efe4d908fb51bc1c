package org.leasehold.calendar;

import java.math.BigDecimal;
import java.math.RoundingMode;
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
        String amount = properties.get(propertyOf(resourceClass));
        if (amount == null) {
            return 0;
        }
        try {
            if (isShortNumber(amount)) {
                return Long.parseLong(amount);
            }
            BigDecimal number = new BigDecimal(amount);
            // A value such as 1E999999999 is short, but its long form would fill the memory.
            return number.precision() - (long) number.scale() > MAX_DIGITS
                    ? 0
                    : number.setScale(0, RoundingMode.FLOOR).longValueExact();
        } catch (NumberFormatException | ArithmeticException notAnAmount) {
            return 0;
        }
    }

    /** Returns whether it has digits only, and so few that a long can hold them. */
    private static boolean isShortNumber(String amount) {
        for (int i = 0; i < amount.length(); i++) {
            if (amount.charAt(i) < '0' || amount.charAt(i) > '9') {
                return false;
            }
        }
        return !amount.isEmpty() && amount.length() < MAX_DIGITS;
    }
}
