package org.leasehold.query.capacity.projection;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;

/** A measure of capacity, with the name of its column. */
public enum CapacityMeasure {
    ENROLLED,
    RESERVABLE,
    RESERVED,
    ACTIVE,
    IDLE,
    REFUSED;

    /**
     * Returns a list of columns, or of expressions for them.
     *
     * @param each the expression for a column, with {@code %1$s} for its name
     */
    public static String columns(String each) {
        return Arrays.stream(values())
                .map(measure -> each.formatted(measure.column()))
                .collect(joining(", "));
    }

    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
