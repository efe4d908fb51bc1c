package org.leasehold.saga.task;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.saga.task.PluginTask.TenureTask;
import org.leasehold.saga.timer.LatenessListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The reports of plug-ins' results to the write side, auditors and the log. */
final class TaskReporter {

    private static final Logger LOG = LoggerFactory.getLogger(TaskReporter.class);

    private final Commands commands;
    private final Clock clock;
    private final LatenessListener lateness;
    private final PluginCallLog callLog;

    TaskReporter(Commands commands, Clock clock, LatenessListener lateness, PluginCallLog calls) {
        this.commands = commands;
        this.clock = clock;
        this.lateness = lateness;
        this.callLog = calls;
    }

    /**
     * Records a plug-in's result. The cloud's ongoing work is no result.
     *
     * @param began the start of the call
     */
    void recordResult(TaskAttempt attempt, Instant began, Result result) {
        Fault fault = result instanceof Result.Failed(Fault why) ? why : null;
        if (fault == null || fault.kind() != Fault.Kind.UNDERWAY) {
            Cause cause = attempt.submitted().cause();
            callLog.add(
                    new CloudCall(
                            attempt.task().target(),
                            attempt.attempts() + 1,
                            began,
                            clock.instant(),
                            fault,
                            cause.requestId(),
                            cause.event()));
        }
    }

    /**
     * Reports a task that is done.
     *
     * @param possible the earliest time at which a start was possible
     */
    void reportDone(ReservationTask task, Result.Done result, Cause cause, Instant possible) {
        switch (task) {
            case PluginTask.Start start -> {
                send(
                        new LeaseCommand.ConfirmStart(
                                start.lease(), start.tenure(), result.cloudIds()),
                        cause);
                lateness.reservationReady(durationSince(possible));
            }
            case PluginTask.Adjust adjust ->
                    send(
                            new LeaseCommand.ConfirmAdjustment(
                                    adjust.lease(), adjust.tenure(), result.cloudIds()),
                            cause);
            case PluginTask.Prepare _, PluginTask.BeforeEnd _ -> {}
            case PluginTask.End end ->
                    send(new LeaseCommand.ConfirmRelease(end.lease(), end.tenure()), cause);
        }
    }

    void reportFailed(TaskAttempt attempt, Fault fault, TaskRetryPolicy.Advice advice) {
        LOG.atLevel(advice instanceof TaskRetryPolicy.Advice.Retry ? Level.INFO : Level.WARN)
                .addKeyValue("subject", attempt.task().subject())
                .addKeyValue("action", attempt.task().verb())
                .addKeyValue("request_id", attempt.submitted().cause().requestId())
                .addKeyValue("attempts", attempt.attempts() + 1)
                .addKeyValue("fault", fault)
                .addKeyValue("advice", advice)
                .log("A plugin could not do its part");
        if (advice instanceof TaskRetryPolicy.Advice.Report
                && attempt.task() instanceof TenureTask task) {
            send(
                    new LeaseCommand.ReportFault(
                            task.lease(), task.tenure(), task.action(), fault.forHolder()),
                    attempt.submitted().cause());
        }
    }

    private void send(LeaseCommand command, Cause cause) {
        Outcome<LeaseRejection> outcome =
                commands.send(
                        command,
                        CommandContext.ofEngine(clock.instant(), cause.requestId(), cause.event()));
        switch (outcome) {
            case Outcome.Accepted<LeaseRejection> _ -> {}
            case Outcome.Refused<LeaseRejection> refused -> logNotAccepted(command, cause, refused);
            // Another tenure has begun meanwhile; its own task does the work.
            case Outcome.Rejected<LeaseRejection> rejected ->
                    logNotAccepted(command, cause, rejected);
        }
    }

    private static void logNotAccepted(
            LeaseCommand command, Cause cause, Outcome<LeaseRejection> outcome) {
        LOG.atInfo()
                .addKeyValue("lease_id", command.leaseId())
                .addKeyValue("request_id", cause.requestId())
                .addKeyValue("outcome", outcome)
                .log("A plugin's report came too late");
    }

    private Duration durationSince(Instant possible) {
        Duration late = Duration.between(possible, clock.instant());
        return late.isNegative() ? Duration.ZERO : late;
    }
}
