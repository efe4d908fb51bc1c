package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Usages.Usage;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The end of a page of usage. It contains no more than the page's last line does. */
record UsageMarker(ResourceKind kind, @Nullable String value) {

    /** The prefix that distinguishes it from other texts. */
    private static final String PREFIX = "usage ";

    static UsageMarker after(Usage line) {
        return new UsageMarker(line.kind(), line.value());
    }

    /** Returns the opaque text for clients. */
    String text() {
        // No kind contains a space, and a missing value differs from an empty one.
        String text = value == null ? kind.value() : kind + " " + value;
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((PREFIX + text).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses the text from a client.
     *
     * @throws IllegalArgumentException if it is not a marker
     */
    static UsageMarker of(String text) {
        String decoded = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        if (!decoded.startsWith(PREFIX) || decoded.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a marker: " + text);
        }
        String[] parts = decoded.substring(PREFIX.length()).split(" ", 2);
        return new UsageMarker(new ResourceKind(parts[0]), parts.length == 1 ? null : parts[1]);
    }
}
