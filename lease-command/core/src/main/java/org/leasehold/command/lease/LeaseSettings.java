package org.leasehold.command.lease;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of leases.
 *
 * @param maxReservations the maximum of a lease's reservations; a change decides on all of them
 * @param mostPerProject the maximum of a project's unfinished leases; 0 for no limit
 */
@ConfigurationProperties(prefix = "leasehold.lease", ignoreUnknownFields = false)
record LeaseSettings(
        @DefaultValue("100") int maxReservations, @DefaultValue("10000") long mostPerProject) {

    /** The maximum that the API's schema allows in one request. */
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
