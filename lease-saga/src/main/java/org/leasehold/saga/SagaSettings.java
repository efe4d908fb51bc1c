package org.leasehold.saga;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of timers, tasks and pollers for an operator.
 *
 * @param polling the interval at which the tables of timers and tasks are polled
 * @param timerThreads the number of timers' commands that are sent in parallel
 * @param taskThreads the number of plug-in actions that run at the same time
 * @param actionsPerPlugin how many of those may belong to one plug-in, so that it cannot take all
 * @param actionTimeout the timeout of one call of a plug-in
 * @param retryFor how long a failing start or adjustment is retried before the lease is in error;
 *     an end is retried for ever
 * @param watching the pause between two polls of the cloud's inventory, or of trusts of ended
 *     leases; shorter if a cloud sends notifications
 * @param sampling the pause between two polls of the use of leased resources
 * @param petitions whether to lease servers and volumes that carry their project's lease tag; each
 *     poll then reads all of them from the cloud
 * @param ofDeletedProjects the policy for leases that have not started if their project is deleted
 *     in Keystone
 * @param maxEarlyAttempts how many retried requests are tried early, at most, when a lease or a
 *     resource frees capacity; 0 for no early attempts
 * @param replaceFailedAfter the time from the failure of a resource to its replacement in running
 *     reservations; 0 for no replacement
 * @param stopWithin how long a stop waits for running work
 */
@ConfigurationProperties(prefix = "leasehold.saga", ignoreUnknownFields = false)
public record SagaSettings(
        @DefaultValue("100ms") Duration polling,
        @DefaultValue("128") int timerThreads,
        @DefaultValue("32") int taskThreads,
        @DefaultValue("16") int actionsPerPlugin,
        @DefaultValue("2m") Duration actionTimeout,
        @DefaultValue("5m") Duration retryFor,
        @DefaultValue("30s") Duration watching,
        @DefaultValue("5m") Duration sampling,
        @DefaultValue("false") boolean petitions,
        @DefaultValue("keep") OfDeletedProjects ofDeletedProjects,
        @DefaultValue("32") int maxEarlyAttempts,
        @DefaultValue("0s") Duration replaceFailedAfter,
        @DefaultValue("10s") Duration stopWithin) {

    /** The policy for leases of deleted projects that have not started. */
    public enum OfDeletedProjects {
        /** They start as planned; an operator finds them in the comparison with the cloud. */
        KEEP,
        /** The engine deletes them. */
        CANCEL
    }

    public SagaSettings {
        requireWithin("polling", polling, Duration.ofMillis(10), Duration.ofSeconds(10));
        requireWithin("timer-threads", timerThreads, 1, 256);
        requireWithin("task-threads", taskThreads, 1, 1024);
        requireWithin("actions-per-plugin", actionsPerPlugin, 1, taskThreads);
        requireWithin("action-timeout", actionTimeout, Duration.ofMillis(1), Duration.ofHours(1));
        requireWithin("retry-for", retryFor, Duration.ZERO, Duration.ofDays(1));
        requireWithin("watching", watching, Duration.ofSeconds(1), Duration.ofDays(1));
        requireWithin("sampling", sampling, Duration.ofSeconds(1), Duration.ofDays(1));
        requireWithin("max-early-attempts", maxEarlyAttempts, 0, 1000);
        requireWithin(
                "replace-failed-after", replaceFailedAfter, Duration.ZERO, Duration.ofDays(365));
        requireWithin("stop-within", stopWithin, Duration.ZERO, Duration.ofMinutes(5));
    }

    /** Returns the default settings. */
    public static SagaSettings defaults() {
        return new SagaSettings(
                Duration.ofMillis(100),
                128,
                32,
                16,
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                false,
                OfDeletedProjects.KEEP,
                32,
                Duration.ZERO,
                Duration.ofSeconds(10));
    }

    private static <T extends Comparable<T>> void requireWithin(
            String setting, T value, T least, T greatest) {
        if (value.compareTo(least) < 0 || value.compareTo(greatest) > 0) {
            throw new IllegalArgumentException(
                    "leasehold.saga.%s is %s, but must be %s to %s"
                            .formatted(setting, value, least, greatest));
        }
    }
}
