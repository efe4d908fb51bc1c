package org.leasehold.calendar;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.stream.Collectors;

/** How much of a resource can be shared out, as its properties tell. */
public final class Capacity {

    private static final Map<String, String> PROPERTIES =
            Map.of("VCPU", "vcpus", "MEMORY_MB", "memory_mb", "DISK_GB", "local_gb");

    private static final Map<String, String> CLASSES =
            PROPERTIES.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /** The digits of the largest long. */
    private static final int LONGEST = 19;

    private Capacity() {}

    /** The property that tells how much of a resource class a resource has. */
    public static String property(String resourceClass) {
        return PROPERTIES.getOrDefault(resourceClass, resourceClass);
    }

    /** The resource class of which a property tells how much a resource has. */
    public static String resourceClass(String property) {
        return CLASSES.getOrDefault(property, property);
    }

    /** How much of a resource class there is: nothing, where no property tells. */
    public static long of(Map<String, String> properties, String resourceClass) {
        String amount = properties.get(property(resourceClass));
        if (amount == null) {
            return 0;
        }
        try {
            BigDecimal number = new BigDecimal(amount);
            // 1E999999999 is short to write, and takes all memory to write out.
            return number.precision() - (long) number.scale() > LONGEST
                    ? 0
                    : number.setScale(0, RoundingMode.FLOOR).longValueExact();
        } catch (NumberFormatException | ArithmeticException notAnAmount) {
            return 0;
        }
    }
}
