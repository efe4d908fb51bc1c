package org.leasehold.command.lease;

import static java.util.stream.Collectors.toSet;

import org.leasehold.vocabulary.ProjectId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Set;

/**
 * Settings of leases.
 *
 * @param maxReservations the maximum of a lease's reservations; a change decides on all of them
 * @param mostPerProject the maximum of a project's unfinished leases; 0 for no limit
 * @param maxDuration the maximum time from a lease's start to its end; 0 for no limit
 * @param durationExemptProjects the ids of the projects without this maximum
 * @param retry the retries of requests that the calendar cannot hold
 */
@ConfigurationProperties(prefix = "leasehold.lease", ignoreUnknownFields = false)
record LeaseSettings(
        @DefaultValue("100") int maxReservations,
        @DefaultValue("10000") long mostPerProject,
        @DefaultValue("0s") Duration maxDuration,
        @DefaultValue Set<String> durationExemptProjects,
        @DefaultValue RetrySettings retry) {

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
        if (maxDuration.isNegative()) {
            throw new IllegalArgumentException(
                    "leasehold.lease.max-duration is less than 0: " + maxDuration);
        }
        durationExemptProjects = Set.copyOf(durationExemptProjects);
    }

    static LeaseSettings defaults() {
        return ofCounts(LARGEST, 0);
    }

    /** Returns settings without a maximum duration. */
    static LeaseSettings ofCounts(int maxReservations, long maxLeases) {
        return new LeaseSettings(
                maxReservations, maxLeases, Duration.ZERO, Set.of(), RetrySettings.defaults());
    }

    DateRules dateRules() {
        return new DateRules(
                maxDuration, durationExemptProjects.stream().map(ProjectId::new).collect(toSet()));
    }
}
