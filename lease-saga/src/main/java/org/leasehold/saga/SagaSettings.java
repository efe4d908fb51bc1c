package org.leasehold.saga;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * What an operator may adjust.
 *
 * @param polling how often the tables of timers and tasks are looked at
 * @param timerThreads how many commands of timers are sent side by side
 * @param taskThreads how many plugin actions run at the same time
 * @param actionsPerPlugin how many of those may belong to one plugin, so that it cannot take all
 * @param actionTimeout how long one call of a plugin may take
 * @param retryFor how long a start or an adjustment that fails is tried again before the lease is
 *     in error; an end is tried for ever
 * @param watching how long after a look at the cloud's inventory, or for trusts of leases that are
 *     over, the next one follows; sooner if a cloud tells news
 * @param sampling how long after a look at what runs on leased resources the next one follows
 * @param petitions whether to lease servers and volumes on which their projects have written that
 *     they want them leased; each look then asks the cloud for all that there are
 * @param ofDeletedProjects what happens to leases that have not started if their project is deleted
 *     in Keystone
 * @param stopWithin how long a stop waits for what is under way
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
        @DefaultValue("10s") Duration stopWithin) {

    /** What happens to leases that have not started, of projects that are deleted. */
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
        requireWithin("stop-within", stopWithin, Duration.ZERO, Duration.ofMinutes(5));
    }

    /** The settings of an engine that nobody configured. */
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
                Duration.ofSeconds(10));
    }

    private static <T extends Comparable<T>> void requireWithin(
            String setting, T value, T least, T most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "leasehold.saga.%s is %s, but must be %s to %s"
                            .formatted(setting, value, least, most));
        }
    }
}
