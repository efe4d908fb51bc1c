package org.leasehold.query;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.util.List;
import java.util.function.Function;

/**
 * A part of a list.
 *
 * @param items in the list's order
 * @param next the marker that asks for the following page; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {

    public Page {
        items = List.copyOf(items);
    }

    /**
     * A page of what was found, which is one more than it may have if there is a next one.
     *
     * @param limit how many it may have
     * @param marker what asks for those that follow an item
     */
    public static <T> Page<T> of(List<T> found, int limit, Function<T, String> marker) {
        if (found.size() <= limit) {
            return new Page<>(found, null);
        }
        List<T> items = found.subList(0, limit);
        return new Page<>(items, marker.apply(items.getLast()));
    }

    /**
     * Where the page before ended.
     *
     * @param form reads a marker, and throws an IllegalArgumentException or a DateTimeException of
     *     what is none
     * @throws UnknownMarker if it is none
     */
    public static <T> T place(String marker, Function<String, T> form) {
        try {
            return form.apply(marker);
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw new UnknownMarker(marker, malformed);
        }
    }

    /** The same page of something else. */
    public <U> Page<U> map(Function<T, U> each) {
        return new Page<>(items.stream().map(each).toList(), next);
    }
}
