package org.leasehold.saga.task;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * The outages of plug-ins' services, as far as the calls of this process show them. An outage lasts
 * from a retryable failure to the next call that succeeds. If several tasks fail in it, one of
 * them, the probe, is retried often. The task that failed first is retried every minute: it may be
 * the only one. The end of the outage makes all waiting tasks of the plug-in due.
 */
final class PluginOutages {

    private static final Logger LOG = LoggerFactory.getLogger(PluginOutages.class);

    /**
     * The shortest outage that has a probe, and whose end makes tasks due. A task that fails by
     * itself while others succeed becomes due at most once in this time.
     */
    static final Duration MIN_DURATION = Duration.ofSeconds(10);

    /** The longest pause of the probe, and so the longest time until a return is noticed. */
    static final Duration PROBE_INTERVAL = Duration.ofSeconds(15);

    /** The longest pause of the task that failed first, which may be the only one of an outage. */
    static final Duration FIRST_TASK_INTERVAL = Duration.ofMinutes(1);

    /** The pause of a task that failed in an outage that has ended meanwhile. */
    static final Duration SHORT_PAUSE = Duration.ofSeconds(1);

    private final Clock clock;
    private final Consumer<ResourceKind> retryAll;
    private final ConcurrentMap<ResourceKind, Service> services = new ConcurrentHashMap<>();

    /**
     * Creates the outages of this process.
     *
     * @param retryAll makes all tasks due that wait for a plug-in
     */
    PluginOutages(Clock clock, Consumer<ResourceKind> retryAll) {
        this.clock = clock;
        this.retryAll = retryAll;
    }

    /** The state of a plug-in's service. */
    private sealed interface Service {}

    /**
     * A service whose last call succeeded.
     *
     * @param recoveredAt the end of the last outage; the first success in this process without one
     */
    private record Available(Instant recoveredAt) implements Service {}

    /**
     * A service in an outage.
     *
     * @param since the first failure since the last success
     * @param first the key of the task that failed first; empty until it is known
     * @param probe the key of the task that is retried often; empty if there is none
     * @param probedAt the last failure of the probe
     * @param recoveredAt the end of the outage before this one; the start of time without one
     */
    private record Outage(
            Instant since, String first, String probe, Instant probedAt, Instant recoveredAt)
            implements Service {

        /** Returns the outage after a failure; a task replaces a probe that is overdue. */
        Outage withFailure(String task, Instant now) {
            if (first.isEmpty()) {
                return new Outage(since, task, probe, probedAt, recoveredAt);
            }
            if (probe.equals(task) || (isProbeMissing(now) && !first.equals(task))) {
                return new Outage(since, first, task, now, recoveredAt);
            }
            return this;
        }

        private boolean isProbeMissing(Instant now) {
            return probe.isEmpty()
                    ? isLonger(since, now, MIN_DURATION)
                    : isLonger(probedAt, now, PROBE_INTERVAL);
        }

        boolean isRetriedEveryMinute(String task, Instant now) {
            return first.equals(task) && !isShort(now);
        }

        /**
         * Returns whether no task has a long pause from it. The first outage that a process sees
         * may be the rest of a long one.
         */
        boolean isShort(Instant now) {
            return !recoveredAt.equals(Instant.MIN) && !isLonger(since, now, MIN_DURATION);
        }

        /** Returns whether a time has passed; a clock that was put back does not delay it. */
        private static boolean isLonger(Instant from, Instant now, Duration time) {
            Duration passed = Duration.between(from, now);
            return passed.isNegative() || passed.compareTo(time) >= 0;
        }
    }

    /** Records the result of a call. */
    void record(ResourceKind kind, Result result) {
        switch (result) {
            case Result.Done _ -> recordSuccess(kind);
            case Result.Failed(var fault) -> {
                switch (fault.kind()) {
                    case RETRYABLE -> recordFailure(kind);
                    // The cloud works on it, so its service is there.
                    case UNDERWAY -> recordSuccess(kind);
                    // A proxy or a service that has just started may refuse as well.
                    case INSUFFICIENT_RESOURCES, DENIED, PERMANENT -> {}
                }
            }
        }
    }

    private void recordFailure(ResourceKind kind) {
        Instant now = clock.instant();
        services.compute(
                kind,
                (_, before) ->
                        switch (before) {
                            case null -> new Outage(now, "", "", now, Instant.MIN);
                            case Available(var recoveredAt) ->
                                    new Outage(now, "", "", now, recoveredAt);
                            case Outage outage -> outage;
                        });
    }

    /** Records a success: the first one in this process may be the end of an earlier outage. */
    private void recordSuccess(ResourceKind kind) {
        if (services.get(kind) instanceof Available) {
            return;
        }
        Instant now = clock.instant();
        Service after =
                services.compute(
                        kind,
                        (_, before) ->
                                before instanceof Outage outage && outage.isShort(now)
                                        ? new Available(outage.recoveredAt())
                                        : new Available(now));
        if (after.equals(new Available(now))) {
            try {
                retryAll.accept(kind);
            } catch (RuntimeException e) {
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .setCause(e)
                        .log("Waiting tasks were not retried; the next success retries them");
                services.remove(kind);
            }
        }
    }

    /**
     * Returns when to retry a task that failed retryably: sooner than planned if it is the probe or
     * the first failed task, or if its service is back since.
     *
     * @param task the key of the task
     * @param began the start of the failed call
     */
    Instant retryTime(ResourceKind kind, String task, Instant began, Instant planned) {
        Instant now = clock.instant();
        Service service =
                services.computeIfPresent(
                        kind,
                        (_, before) ->
                                before instanceof Outage outage
                                        ? outage.withFailure(task, now)
                                        : before);
        Instant soonest =
                switch (service) {
                    case Available(var recoveredAt) when began.isBefore(recoveredAt) ->
                            now.plus(SHORT_PAUSE);
                    case Outage outage when outage.probe().equals(task) -> now.plus(PROBE_INTERVAL);
                    case Outage outage when outage.isRetriedEveryMinute(task, now) ->
                            now.plus(FIRST_TASK_INTERVAL);
                    case null, default -> planned;
                };
        return soonest.isBefore(planned) ? soonest : planned;
    }
}
