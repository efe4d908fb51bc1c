package org.leasehold.saga.task;

import org.leasehold.history.Backoff;
import org.leasehold.lease.Fault;

import java.time.Duration;
import java.time.Instant;

/**
 * The policy of retries for a failing action.
 *
 * @param limit for actions that a project waits for
 */
record TaskRetryPolicy(Duration limit, Backoff backoff) {

    /** The advice after a fault. */
    sealed interface Advice {

        record Retry(Instant at) implements Advice {}

        /** The lease goes into error, and the action is listed as stuck. */
        record Report() implements Advice {}

        /** The action is dropped without harm to the lease. */
        record Forget() implements Advice {}
    }

    /**
     * Returns the advice after a fault.
     *
     * @param attempts the number of attempts, this one included
     * @param since the time of the first failure
     */
    Advice decide(PluginTask task, Fault fault, int attempts, Instant since, Instant now) {
        boolean early = isRetryAllowed(fault, since, now);
        Instant next = now.plus(backoff.delayAfter(attempts, task.key()));
        Advice retry = new Advice.Retry(next);
        // A project waits for it: the last attempt is not later than the limit.
        Instant last = since.plus(limit);
        Advice timely = new Advice.Retry(next.isAfter(last) ? last : next);
        return switch (task) {
            case PluginTask.Start _, PluginTask.Adjust _ -> early ? timely : new Advice.Report();
            case PluginTask.Prepare _, PluginTask.BeforeEnd _ ->
                    early ? timely : new Advice.Forget();
            // A resource that is not taken back is lost for all: it is retried while that may help.
            case PluginTask.End _ -> isRetryable(fault) ? retry : new Advice.Report();
            // No lease needs the report.
            case PluginTask.Enrol _, PluginTask.Retire _ -> retry;
        };
    }

    /**
     * Returns whether an action that a project waits for is retried.
     *
     * @param since the time of the first failure
     */
    boolean isRetryAllowed(Fault fault, Instant since, Instant now) {
        return isRetryable(fault) && Duration.between(since, now).compareTo(limit) < 0;
    }

    private static boolean isRetryable(Fault fault) {
        return fault.kind() == Fault.Kind.RETRYABLE;
    }
}
