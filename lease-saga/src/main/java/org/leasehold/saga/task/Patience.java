package org.leasehold.saga.task;

import org.leasehold.lease.Fault;
import org.leasehold.saga.scheduler.Backoff;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a failing action is tried again.
 *
 * @param limit for actions that a project waits for
 */
record Patience(Duration limit, Backoff backoff) {

    /** What to do after a fault. */
    sealed interface Advice {

        record Retry(Instant at) implements Advice {}

        /** The lease is to be in error, and the action to be shown as stuck. */
        record Report() implements Advice {}

        /** The lease does not suffer from it. */
        record Forget() implements Advice {}
    }

    /**
     * Says what to do.
     *
     * @param attempts how often the task was tried, this time included
     * @param since when it failed for the first time
     */
    Advice after(PluginTask task, Fault fault, int attempts, Instant since, Instant now) {
        boolean early = isEarly(fault, since, now);
        Instant next = now.plus(backoff.after(attempts, task.key()));
        Advice retry = new Advice.Retry(next);
        // Somebody waits for it: the last try comes no later than it is worthwhile.
        Instant last = since.plus(limit);
        Advice timely = new Advice.Retry(next.isAfter(last) ? last : next);
        return switch (task) {
            case PluginTask.Start _, PluginTask.Adjust _ -> early ? timely : new Advice.Report();
            case PluginTask.Prepare _, PluginTask.BeforeEnd _ ->
                    early ? timely : new Advice.Forget();
            // What is not taken back is lost for everybody: as long as it may help, it is tried.
            case PluginTask.End _ -> isWorthwhile(fault) ? retry : new Advice.Report();
            // There is no lease to tell it to.
            case PluginTask.Enrol _, PluginTask.Retire _ -> retry;
        };
    }

    /**
     * Whether what somebody waits for is to be tried again.
     *
     * @param since when it failed for the first time
     */
    boolean isEarly(Fault fault, Instant since, Instant now) {
        return isWorthwhile(fault) && Duration.between(since, now).compareTo(limit) < 0;
    }

    private static boolean isWorthwhile(Fault fault) {
        return fault.kind() == Fault.Kind.RETRYABLE;
    }
}
