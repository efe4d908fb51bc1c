package org.leasehold.command.lease;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of leases.
 *
 * @param maxReservations how many reservations a lease has at most; a change decides on all of them
 * @param mostPerProject how many unfinished leases a project may have; 0 for any number
 */
@ConfigurationProperties(prefix = "leasehold.lease", ignoreUnknownFields = false)
record LeaseSettings(
        @DefaultValue("100") int maxReservations, @DefaultValue("10000") long mostPerProject) {

    /** What the schema of the API allows in one request. */
    private static final int LARGEST = 100;

    LeaseSettings {
        if (maxReservations < 1 || maxReservations > LARGEST) {
            throw new IllegalArgumentException(
                    "max-reservations is 1 to %s: %s".formatted(LARGEST, maxReservations));
        }
        if (mostPerProject < 0) {
            throw new IllegalArgumentException(
                    "leasehold.lease.most-per-project is less than 0: " + mostPerProject);
        }
    }

    static LeaseSettings defaults() {
        return new LeaseSettings(LARGEST, 0);
    }
}
