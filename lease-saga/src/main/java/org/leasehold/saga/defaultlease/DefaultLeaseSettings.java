package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Set;

/**
 * Settings of default leases. They also apply to the dry run, while the feature is off.
 *
 * @param enabled whether servers without a lease get one
 * @param projects the ids of the projects whose servers get one, or {@code all} in any case
 * @param period the time from the request to the end of a default lease
 * @param notice the time before the end at which the owner is warned; 0 for no warning; null for
 *     three days, or a tenth of a period shorter than 30 days
 * @param exemptProjects the ids of projects whose servers get none
 * @param exemptFlavors the names of flavors whose servers get none
 * @param exemptMetadata a metadata key: servers with it get none; empty for no such key. Owners can
 *     write it themselves
 * @param polling the pause between two polls of the cloud
 * @param grace the age at which a server gets one; its owner may request another lease before
 * @param maxRequestsPerPoll how many default leases one poll requests; the rest follows
 */
@ConfigurationProperties(prefix = "leasehold.default-leases", ignoreUnknownFields = false)
record DefaultLeaseSettings(
        @DefaultValue("false") boolean enabled,
        @DefaultValue Set<String> projects,
        @DefaultValue("P30D") Duration period,
        @Nullable Duration notice,
        @DefaultValue Set<String> exemptProjects,
        @DefaultValue Set<String> exemptFlavors,
        @DefaultValue("") String exemptMetadata,
        @DefaultValue("1m") Duration polling,
        @DefaultValue("15m") Duration grace,
        @DefaultValue("50") int maxRequestsPerPoll) {

    /** The value of {@link #projects} for all projects. */
    private static final String ALL = "all";

    private static final Duration LONGEST_DEFAULT_NOTICE = Duration.ofDays(3);

    DefaultLeaseSettings {
        projects = Set.copyOf(projects);
        exemptProjects = Set.copyOf(exemptProjects);
        exemptFlavors = Set.copyOf(exemptFlavors);
        requireWithin("period", period, Duration.ofMinutes(1), Duration.ofDays(3650));
        requireWithin("notice", noticeOf(notice, period), Duration.ZERO, period);
        requireWithin("polling", polling, Duration.ofSeconds(1), Duration.ofDays(1));
        requireWithin("grace", grace, Duration.ZERO, Duration.ofDays(365));
        requireWithin("max-requests-per-poll", maxRequestsPerPoll, 1, 1000);
        if (enabled && projects.isEmpty()) {
            throw new IllegalArgumentException(
                    "leasehold.default-leases.projects is empty, but must name projects or be all");
        }
        if (projects.size() > 1 && hasAll(projects)) {
            throw new IllegalArgumentException(
                    "leasehold.default-leases.projects is all, so it must not name projects");
        }
    }

    /** Returns whether the settings name the project, or all of them. */
    boolean covers(ProjectId project) {
        return hasAll(projects) || projects.contains(project.value());
    }

    private static boolean hasAll(Set<String> projects) {
        return projects.stream().anyMatch(ALL::equalsIgnoreCase);
    }

    /** Returns the time before the end at which the owner is warned; 0 for no warning. */
    Duration effectiveNotice() {
        return noticeOf(notice, period);
    }

    private static Duration noticeOf(@Nullable Duration notice, Duration period) {
        if (notice != null) {
            return notice;
        }
        Duration tenth = period.dividedBy(10);
        return tenth.compareTo(LONGEST_DEFAULT_NOTICE) < 0 ? tenth : LONGEST_DEFAULT_NOTICE;
    }

    /**
     * Checks that leases may last as long as the period. While default leases are off, any period
     * passes.
     *
     * @param maxDuration the maximum duration of leases; 0 for no limit
     * @param exemptProjects the ids of the projects without this maximum
     * @throws IllegalArgumentException if the leases of a project would all be refused
     */
    void requirePeriodWithin(Duration maxDuration, Set<String> exemptProjects) {
        boolean isLimited = maxDuration.isPositive() && !exemptProjects.containsAll(projects);
        if (enabled && isLimited && period.compareTo(maxDuration) > 0) {
            throw new IllegalArgumentException(
                    "leasehold.default-leases.period is %s, but leasehold.lease.max-duration is %s"
                            .formatted(period, maxDuration));
        }
    }

    private static <T extends Comparable<T>> void requireWithin(
            String setting, T value, T least, T greatest) {
        if (value.compareTo(least) < 0 || value.compareTo(greatest) > 0) {
            throw new IllegalArgumentException(
                    "leasehold.default-leases.%s is %s, but must be %s to %s"
                            .formatted(setting, value, least, greatest));
        }
    }
}
