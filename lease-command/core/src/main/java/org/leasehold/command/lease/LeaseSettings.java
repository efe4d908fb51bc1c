package org.leasehold.command.lease;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of leases.
 *
 * @param maxReservations how many reservations a lease has at most; a change decides on all of them
 */
@ConfigurationProperties(prefix = "leasehold.lease", ignoreUnknownFields = false)
record LeaseSettings(@DefaultValue("100") int maxReservations) {

    /** What the schema of the API allows in one request. */
    private static final int LARGEST = 100;

    LeaseSettings {
        if (maxReservations < 1 || maxReservations > LARGEST) {
            throw new IllegalArgumentException(
                    "max-reservations is 1 to %s: %s".formatted(LARGEST, maxReservations));
        }
    }

    static LeaseSettings defaults() {
        return new LeaseSettings(LARGEST);
    }
}
