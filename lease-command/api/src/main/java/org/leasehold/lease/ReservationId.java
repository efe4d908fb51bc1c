package org.leasehold.lease;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** Names a reservation; unique over all leases. */
public record ReservationId(UUID value) {

    /**
     * Reads the textual form.
     *
     * @throws IllegalArgumentException if the text is not a UUID
     */
    public static ReservationId of(String text) {
        return new ReservationId(UUID.fromString(text));
    }

    /** What a text names; empty if that is no reservation. */
    public static Optional<ReservationId> find(String text) {
        try {
            return Optional.of(of(text));
        } catch (IllegalArgumentException anotherName) {
            return Optional.empty();
        }
    }

    /** Names what is shown within this one under a name; always the same. */
    public ReservationId nested(String name) {
        byte[] path = (value + "/" + name).getBytes(StandardCharsets.UTF_8);
        return new ReservationId(UUID.nameUUIDFromBytes(path));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
