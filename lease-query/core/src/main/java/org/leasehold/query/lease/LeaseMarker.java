package org.leasehold.query.lease;

import org.leasehold.vocabulary.LeaseId;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** The end of a page of leases. */
record LeaseMarker(Instant createdAt, LeaseId id) {

    /** Returns the opaque text for clients. */
    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((createdAt + " " + id).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses the text from a client.
     *
     * @throws IllegalArgumentException if it is not a marker
     */
    static LeaseMarker of(String text) {
        try {
            String[] parts =
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8)
                            .split(" ", -1);
            if (parts.length == 2) {
                return new LeaseMarker(Instant.parse(parts[0]), LeaseId.of(parts[1]));
            }
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw new IllegalArgumentException("not a marker: " + text, malformed);
        }
        throw new IllegalArgumentException("not a marker: " + text);
    }
}
