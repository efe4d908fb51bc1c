package org.leasehold.readmodel;

import org.jspecify.annotations.Nullable;

/** The rejection of a marker that no page gave: the caller made it up, or changed the query. */
public final class UnknownMarker extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public UnknownMarker(String marker) {
        this(marker, null);
    }

    UnknownMarker(String marker, @Nullable Throwable cause) {
        super("not a marker: " + marker, cause);
    }
}
