package org.leasehold.query.capacity;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;

/** What is measured; named as the tables' columns. */
enum Measure {
    ENROLLED,
    RESERVABLE,
    RESERVED,
    ACTIVE,
    IDLE,
    REFUSED;

    /**
     * A list of columns, or of what they come to.
     *
     * @param each what stands for one of them, with {@code %1$s} for its name
     */
    static String columns(String each) {
        return Arrays.stream(values())
                .map(measure -> each.formatted(measure.column()))
                .collect(joining(", "));
    }

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
