package org.leasehold.saga.timer;

import org.leasehold.history.Backoff;
import org.leasehold.saga.timer.TimerTable.Taken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Dispatches due timers in batches. It takes them together, sends their commands in parallel, so
 * that they are committed in groups, and removes them together.
 */
final class TimerDispatcher {

    private static final Logger LOG = LoggerFactory.getLogger(TimerDispatcher.class);

    /** A number that a node fires in much less time than timers are taken for. */
    static final int BATCH_SIZE = 1_000;

    private final TimerTable table;
    private final TimerCommandSender commandSender;
    private final Clock clock;
    private final Senders senders;

    TimerDispatcher(TimerTable table, TimerCommandSender firing, Clock clock, Senders senders) {
        this.table = table;
        this.commandSender = firing;
        this.clock = clock;
        this.senders = senders;
    }

    /** A runner of several actions in parallel. */
    @FunctionalInterface
    interface Senders {

        /** Returns the result of each, once all are done. */
        List<Boolean> sendAll(List<BooleanSupplier> sendings);
    }

    /** Fires a batch and returns its size; if the batch was full, there may be more. */
    int fire() {
        List<Taken> due = table.takeDue(clock.instant(), BATCH_SIZE);
        List<Boolean> fired =
                senders.sendAll(
                        due.stream().map(taken -> (BooleanSupplier) () -> fire(taken)).toList());
        List<Taken> done =
                IntStream.range(0, due.size()).filter(fired::get).mapToObj(due::get).toList();
        if (!done.isEmpty()) {
            table.removeFired(done);
        }
        return due.size();
    }

    /** Returns false if it has to be fired again. */
    private boolean fire(Taken taken) {
        try {
            commandSender.send(taken.timer());
            return true;
        } catch (RuntimeException e) {
            // A timer is retried for ever: whatever the failure, its lease must not stay behind.
            Instant again =
                    clock.instant()
                            .plus(
                                    Backoff.DEFAULT.delayAfter(
                                            taken.failures() + 1, taken.timer().key()));
            LOG.atWarn()
                    .addKeyValue("lease_id", taken.timer().command().leaseId())
                    .addKeyValue("timer", taken.timer().key())
                    .addKeyValue("again", again)
                    .setCause(e)
                    .log("A timer could not fire");
            reschedule(taken, again);
            return false;
        }
    }

    private void reschedule(Taken taken, Instant again) {
        try {
            table.reschedule(taken, again);
        } catch (DataAccessException e) {
            // It fires again all the same, as if this node had died.
            LOG.atWarn()
                    .addKeyValue("timer", taken.timer().key())
                    .setCause(e)
                    .log("A timer cannot be put back");
        }
    }
}
