package org.leasehold.readmodel;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
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
     * Makes a page of a whole list in memory, in the order of its keys.
     *
     * @param key returns the key of an item: unique, and the same at each request
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of items of the page
     * @throws UnknownMarker if the marker is invalid
     */
    public static <T> Page<T> ofAll(
            Collection<T> all, Function<T, String> key, @Nullable String marker, int limit) {
        String after = marker == null ? null : parseMarker(marker, Page::decodeMarker);
        List<T> found =
                all.stream()
                        .filter(item -> after == null || key.apply(item).compareTo(after) > 0)
                        .sorted(Comparator.comparing(key))
                        .limit(limit + 1L)
                        .toList();
        return of(found, limit, last -> encodeMarker(key.apply(last)));
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
        // Other texts decode to the same marker, with characters in it that replace unknown bytes.
        if (marker.indexOf('\0') >= 0 || !encodeMarker(marker).equals(text)) {
            throw new IllegalArgumentException("not a marker: " + text);
        }
        return marker;
    }

    /** Returns the page with each item converted. */
    public <U> Page<U> map(Function<T, U> each) {
        return new Page<>(items.stream().map(each).toList(), next);
    }
}
