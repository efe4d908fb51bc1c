package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;

/**
 * A value that changes with time. A decision for an instant replaces all decisions for later ones,
 * and nothing before it.
 */
final class Timeline<T> {

    private final NavigableMap<Instant, @Nullable T> steps = new TreeMap<>();

    /** Sets the value from an instant on; null for none. */
    void setFrom(Instant instant, @Nullable T value) {
        steps.tailMap(instant, true).clear();
        steps.put(instant, value);
    }

    /** Sets the value during a window, and none otherwise, from an instant on. */
    void setDuring(Instant instant, Instant start, Instant end, T value) {
        setFrom(instant, null);
        setFrom(start.isAfter(instant) ? start : instant, value);
        setFrom(end, null);
    }

    /** Sets the value from an instant on, at the times at which the other timeline has one. */
    void copyFrom(Instant instant, Timeline<?> other, T value) {
        setFrom(instant, other.at(instant) == null ? null : value);
        other.steps
                .tailMap(instant, false)
                .forEach((at, step) -> setFrom(at, step == null ? null : value));
    }

    /** Returns the value at an instant; null for none. */
    @Nullable T at(Instant instant) {
        Map.Entry<Instant, @Nullable T> step = steps.floorEntry(instant);
        return step == null ? null : step.getValue();
    }

    /** Returns the last value. */
    @Nullable T last() {
        Map.Entry<Instant, @Nullable T> step = steps.lastEntry();
        return step == null ? null : step.getValue();
    }

    /** Returns the instants of changes; a value may stay the same. */
    NavigableSet<Instant> changes() {
        return steps.navigableKeySet();
    }
}
