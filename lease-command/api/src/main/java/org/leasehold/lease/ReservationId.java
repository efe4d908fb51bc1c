package org.leasehold.lease;

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

    @Override
    public String toString() {
        return value.toString();
    }
}
