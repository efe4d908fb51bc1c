package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Usages.Usage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The end of a page of usage. It contains no more than the page's last line does.
 *
 * @param values by dimension, in the order of the query
 */
record UsageMarker(ResourceKind kind, List<@Nullable String> values) {

    /** The prefix that distinguishes it from other texts. */
    private static final String PREFIX = "usage ";

    /** The prefix of a marker of several dimensions. */
    private static final String SPLIT_PREFIX = "split ";

    /** The sign before a value that exists: a missing value differs from an empty one. */
    private static final char EXISTS = '=';

    static UsageMarker after(Usage line, int dimensions) {
        return new UsageMarker(
                line.kind(), Arrays.asList(line.value(), line.other()).subList(0, dimensions));
    }

    /** Returns the opaque text for clients. */
    String text() {
        if (values.size() > 1) {
            return Page.encodeMarker(
                    SPLIT_PREFIX
                            + kind
                            + values.stream()
                                    .map(
                                            each ->
                                                    each == null
                                                            ? " "
                                                            : " "
                                                                    + EXISTS
                                                                    + Page.encodeMarker(each))
                                    .collect(Collectors.joining()));
        }
        // No kind contains a space, and a missing value differs from an empty one.
        String value = values.getFirst();
        return Page.encodeMarker(PREFIX + (value == null ? kind.value() : kind + " " + value));
    }

    /**
     * Parses the text from a client.
     *
     * @param dimensions the number of values that it must have
     * @throws IllegalArgumentException if it is not a marker
     */
    static UsageMarker of(String text, int dimensions) {
        String decoded = Page.decodeMarker(text);
        if (!decoded.startsWith(dimensions > 1 ? SPLIT_PREFIX : PREFIX)) {
            throw new IllegalArgumentException("not a marker: " + text);
        }
        if (dimensions == 1) {
            String[] parts = decoded.substring(PREFIX.length()).split(" ", 2);
            return new UsageMarker(
                    new ResourceKind(parts[0]),
                    Collections.singletonList(parts.length == 1 ? null : parts[1]));
        }
        String[] parts = decoded.substring(SPLIT_PREFIX.length()).split(" ", -1);
        if (parts.length != 1 + dimensions) {
            throw new IllegalArgumentException("not a marker: " + text);
        }
        List<@Nullable String> values = new ArrayList<>();
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            values.add(part.isEmpty() ? null : Page.decodeMarker(part.substring(1)));
        }
        return new UsageMarker(new ResourceKind(parts[0]), values);
    }
}
