package org.leasehold.readmodel;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/**
 * A part of a list.
 *
 * @param items in the list's order
 * @param next the marker that requests the following page; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {

    public Page {
        items = List.copyOf(items);
    }

    /**
     * Makes a page of a query's result, which has one item too many if a next page exists.
     *
     * @param limit the largest number of items of the page
     * @param marker returns the marker for the items after an item
     */
    public static <T> Page<T> of(List<T> found, int limit, Function<T, String> marker) {
        if (found.size() <= limit) {
            return new Page<>(found, null);
        }
        List<T> items = found.subList(0, limit);
        return new Page<>(items, marker.apply(items.getLast()));
    }

    /**
     * Parses the marker of the end of the page before.
     *
     * @param form parses a marker; throws an IllegalArgumentException or a DateTimeException if it
     *     is invalid
     * @throws UnknownMarker if it is invalid
     */
    public static <T> T parseMarker(String marker, Function<String, T> form) {
        try {
            return form.apply(marker);
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw new UnknownMarker(marker, malformed);
        }
    }

    /** Returns the opaque text of a marker, for clients. */
    public static String encodeMarker(String marker) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(marker.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the marker from the opaque text of a client.
     *
     * @throws IllegalArgumentException if the text is not encoded, or has a character that the
     *     database cannot hold
     */
    public static String decodeMarker(String text) {
        String marker = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        if (marker.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a marker: " + text);
        }
        return marker;
    }

    /** Returns the page with each item converted. */
    public <U> Page<U> map(Function<T, U> each) {
        return new Page<>(items.stream().map(each).toList(), next);
    }
}
