package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;

/**
 * Something that changes with time. What is decided for an instant replaces all that was decided
 * for later ones, and nothing of what was before.
 */
final class Timeline<T> {

    private final NavigableMap<Instant, @Nullable T> steps = new TreeMap<>();

    /** From an instant on it is this; null for nothing. */
    void from(Instant instant, @Nullable T value) {
        steps.tailMap(instant, true).clear();
        steps.put(instant, value);
    }

    /** From an instant on it is this during a window, and nothing otherwise. */
    void during(Instant instant, Instant start, Instant end, T value) {
        from(instant, null);
        from(start.isAfter(instant) ? start : instant, value);
        from(end, null);
    }

    /** From an instant on it is this whenever the other is something. */
    void follow(Instant instant, Timeline<?> other, T value) {
        from(instant, other.at(instant) == null ? null : value);
        other.steps
                .tailMap(instant, false)
                .forEach((at, its) -> from(at, its == null ? null : value));
    }

    /** What it is at an instant; null for nothing. */
    @Nullable T at(Instant instant) {
        Map.Entry<Instant, @Nullable T> step = steps.floorEntry(instant);
        return step == null ? null : step.getValue();
    }

    /** What it is in the end. */
    @Nullable T last() {
        Map.Entry<Instant, @Nullable T> step = steps.lastEntry();
        return step == null ? null : step.getValue();
    }

    /** When it changes; it may go on as before. */
    NavigableSet<Instant> changes() {
        return steps.navigableKeySet();
    }
}
