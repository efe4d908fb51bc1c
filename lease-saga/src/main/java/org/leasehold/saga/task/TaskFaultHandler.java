package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The decision after a fault: it retries the task, reports the fault, or drops the task. */
final class TaskFaultHandler {

    /** The pause before the next poll of the cloud's ongoing work. */
    private static final Duration CLOUD_POLL_INTERVAL = Duration.ofSeconds(2);

    private final TaskRetryPolicy retryPolicy;
    private final TaskReporter reporter;
    private final PluginOutages outages;
    private final Clock clock;

    TaskFaultHandler(
            TaskRetryPolicy retryPolicy,
            TaskReporter reporter,
            PluginOutages outages,
            Clock clock) {
        this.retryPolicy = retryPolicy;
        this.reporter = reporter;
        this.outages = outages;
        this.clock = clock;
    }

    /** A call of a plug-in. */
    record PluginCall(ResourceKind kind, Instant began) {}

    /**
     * Returns the verdict after a fault.
     *
     * @param call the call that failed; null if no plug-in was called
     */
    Verdict handle(TaskAttempt attempt, Fault fault, @Nullable PluginCall call) {
        if (fault.kind() == Fault.Kind.UNDERWAY) {
            return new Verdict.NotYet(clock.instant().plus(CLOUD_POLL_INTERVAL));
        }
        Instant now = clock.instant();
        TaskRetryPolicy.Advice advice =
                retryPolicy.decide(
                        attempt.task(),
                        fault,
                        attempt.attempts() + 1,
                        attempt.failingSince(now),
                        now);
        reporter.reportFailed(attempt, fault, advice);
        return switch (advice) {
            case TaskRetryPolicy.Advice.Retry(var planned)
                    when call != null && fault.kind() == Fault.Kind.RETRYABLE ->
                    new Verdict.Again(
                            outages.retryTime(
                                    call.kind(), attempt.task().key(), call.began(), planned),
                            fault.message(),
                            call.kind());
            case TaskRetryPolicy.Advice.Retry(var planned) ->
                    new Verdict.Again(planned, fault.message(), null);
            case TaskRetryPolicy.Advice.Report _ -> new Verdict.GivenUp(fault.message());
            case TaskRetryPolicy.Advice.Forget _ -> new Verdict.Finished();
        };
    }
}
