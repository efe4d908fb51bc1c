package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.Usages.Usage;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Where a page of usage ended. It says nothing that the page's last line does not. */
record UsageMarker(ResourceKind kind, @Nullable String value) {

    /** Tells it from what somebody made up. */
    private static final String FORM = "usage ";

    static UsageMarker after(Usage line) {
        return new UsageMarker(line.kind(), line.value());
    }

    /** The form that clients hand back and must not look into. */
    String text() {
        // No kind has a blank in it, and what is lacking is not what is empty.
        String text = value == null ? kind.value() : kind + " " + value;
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((FORM + text).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads what a client handed back.
     *
     * @throws IllegalArgumentException if it is not a marker
     */
    static UsageMarker of(String text) {
        String place = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        if (!place.startsWith(FORM) || place.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a marker: " + text);
        }
        String[] parts = place.substring(FORM.length()).split(" ", 2);
        return new UsageMarker(new ResourceKind(parts[0]), parts.length == 1 ? null : parts[1]);
    }
}
