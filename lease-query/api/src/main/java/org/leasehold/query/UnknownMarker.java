package org.leasehold.query;

import org.jspecify.annotations.Nullable;

/** A marker that no page gave: whoever asked made it up, or asks for something else. */
public final class UnknownMarker extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public UnknownMarker(String marker) {
        this(marker, null);
    }

    UnknownMarker(String marker, @Nullable Throwable cause) {
        super("not a marker: " + marker, cause);
    }
}
