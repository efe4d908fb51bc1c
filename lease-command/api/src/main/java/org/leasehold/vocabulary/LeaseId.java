package org.leasehold.vocabulary;

import java.util.UUID;

/** The id of a lease and of its event stream. */
public record LeaseId(UUID value) {

    /**
     * Reads the textual form.
     *
     * @throws IllegalArgumentException if the text is not a UUID
     */
    public static LeaseId of(String text) {
        return new LeaseId(UUID.fromString(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
