package org.leasehold.vocabulary;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** The id of a reservation; unique over all leases. */
public record ReservationId(UUID value) {

    /**
     * Reads the textual form.
     *
     * @throws IllegalArgumentException if the text is not a UUID
     */
    public static ReservationId of(String text) {
        return new ReservationId(UUID.fromString(text));
    }

    /** Reads the textual form; empty if the text is not a UUID. */
    public static Optional<ReservationId> find(String text) {
        try {
            return Optional.of(of(text));
        } catch (IllegalArgumentException anotherName) {
            return Optional.empty();
        }
    }

    /** Returns the id of a nested entry with a name; always the same for the same name. */
    public ReservationId nested(String name) {
        byte[] path = (value + "/" + name).getBytes(StandardCharsets.UTF_8);
        return new ReservationId(UUID.nameUUIDFromBytes(path));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
