package org.leasehold.saga.timer;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseRejection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Sends the command of a due timer. */
final class TimerCommandSender {

    private static final Logger LOG = LoggerFactory.getLogger(TimerCommandSender.class);

    private final Commands commands;
    private final Clock clock;
    private final LatenessListener lateness;

    TimerCommandSender(Commands commands, Clock clock, LatenessListener lateness) {
        this.commands = commands;
        this.clock = clock;
        this.lateness = lateness;
    }

    void send(Timer timer) {
        // The clock of the node that set the timer may be ahead of ours: a start is never decided
        // at a time before itself.
        Instant now = later(clock.instant(), timer.due());
        Outcome<LeaseRejection> outcome =
                commands.send(
                        timer.command(),
                        CommandContext.ofEngine(
                                now, timer.cause().requestId(), timer.cause().event()));
        switch (outcome) {
            case Outcome.Accepted<LeaseRejection> _ -> {}
            // The lease changed between the event and now, which is no fault.
            case Outcome.Refused<LeaseRejection> refused -> logNotAccepted(timer, refused);
            case Outcome.Rejected<LeaseRejection> rejected -> logNotAccepted(timer, rejected);
        }
        Instant possible = later(timer.due(), timer.cause().at());
        lateness.commandDecided(
                timer.command(), nonNegative(Duration.between(possible, clock.instant())));
    }

    private static void logNotAccepted(Timer timer, Outcome<LeaseRejection> outcome) {
        LOG.atInfo()
                .addKeyValue("lease_id", timer.command().leaseId())
                .addKeyValue("request_id", timer.cause().requestId())
                .addKeyValue("timer", timer.key())
                .addKeyValue("outcome", outcome)
                .log("A timer's command was not carried out");
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Duration nonNegative(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
