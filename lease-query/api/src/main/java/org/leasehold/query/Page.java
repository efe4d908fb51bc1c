package org.leasehold.query;

import org.jspecify.annotations.Nullable;

import java.util.List;

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
}
