package org.leasehold.saga.task;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting.Result;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * The outages of plug-ins' services, as far as the calls of this process show them. An outage lasts
 * from a retryable failure to the next call that succeeds. Meanwhile one task of the plug-in, the
 * probe, is retried often. The end of the outage makes all waiting tasks of the plug-in due.
 */
final class PluginOutages {

    /**
     * The shortest outage whose end makes tasks due. After a shorter one, no pause is long. A task
     * that fails by itself while others succeed becomes due at most once in this time.
     */
    static final Duration MIN_DURATION = Duration.ofSeconds(10);

    /** The longest pause of the probe: so long a service may be back before its tasks are due. */
    static final Duration PROBE_INTERVAL = Duration.ofSeconds(15);

    private final Clock clock;
    private final Consumer<ResourceKind> retryAll;
    private final ConcurrentMap<ResourceKind, Outage> outages = new ConcurrentHashMap<>();

    /**
     * Creates the outages of this process.
     *
     * @param retryAll makes all tasks due that wait for a plug-in
     */
    PluginOutages(Clock clock, Consumer<ResourceKind> retryAll) {
        this.clock = clock;
        this.retryAll = retryAll;
    }

    /**
     * An outage.
     *
     * @param since the first failure since the last success
     * @param probe the key of the task that is retried often; empty before the first one
     * @param probedAt the last failure of the probe
     */
    private record Outage(Instant since, String probe, Instant probedAt) {

        /** Returns the outage with another probe if its own has not failed for two intervals. */
        Outage withFailure(String task, Instant now) {
            boolean isLost =
                    probe.isEmpty() || probedAt.plus(PROBE_INTERVAL.multipliedBy(2)).isBefore(now);
            return probe.equals(task) || isLost ? new Outage(since, task, now) : this;
        }
    }

    /** Records the result of a call. */
    void record(ResourceKind kind, Result result) {
        switch (result) {
            case Result.Done _ -> end(kind);
            case Result.Failed(var fault) -> {
                switch (fault.kind()) {
                    case RETRYABLE -> {
                        Instant now = clock.instant();
                        outages.putIfAbsent(kind, new Outage(now, "", now));
                    }
                    // The cloud works on it, so its service is there.
                    case UNDERWAY -> end(kind);
                    // A proxy or a service that has just started may refuse as well.
                    case INSUFFICIENT_RESOURCES, DENIED, PERMANENT -> {}
                }
            }
        }
    }

    private void end(ResourceKind kind) {
        Outage ended = outages.remove(kind);
        if (ended != null
                && Duration.between(ended.since(), clock.instant()).compareTo(MIN_DURATION) >= 0) {
            retryAll.accept(kind);
        }
    }

    /**
     * Returns when to retry a task that failed retryably: sooner than planned if it is the probe.
     *
     * @param task the key of the task
     */
    Instant retryTime(ResourceKind kind, String task, Instant planned) {
        Instant now = clock.instant();
        Outage outage =
                outages.computeIfPresent(kind, (_, present) -> present.withFailure(task, now));
        Instant probing = now.plus(PROBE_INTERVAL);
        return outage != null && outage.probe().equals(task) && probing.isBefore(planned)
                ? probing
                : planned;
    }
}
