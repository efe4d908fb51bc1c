package org.leasehold.saga.timer;

import org.leasehold.saga.scheduler.Backoff;
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
 * The firing of due timers in batches: they are taken together, their commands are sent in
 * parallel, so that they are committed in groups, and they are removed together.
 */
final class DueTimers {

    private static final Logger LOG = LoggerFactory.getLogger(DueTimers.class);

    /** A number that a node fires in much less time than timers are taken for. */
    static final int BATCH = 1_000;

    private final TimerTable table;
    private final Firing firing;
    private final Clock clock;
    private final Senders senders;

    DueTimers(TimerTable table, Firing firing, Clock clock, Senders senders) {
        this.table = table;
        this.firing = firing;
        this.clock = clock;
        this.senders = senders;
    }

    /** A runner of several actions in parallel. */
    @FunctionalInterface
    interface Senders {

        /** Returns the result of each, once all are done. */
        List<Boolean> all(List<BooleanSupplier> sendings);
    }

    /** Fires a batch and returns its size; if the batch was full, there may be more. */
    int fire() {
        List<Taken> due = table.take(clock.instant(), BATCH);
        List<Boolean> fired =
                senders.all(
                        due.stream().map(taken -> (BooleanSupplier) () -> fire(taken)).toList());
        List<Taken> done =
                IntStream.range(0, due.size()).filter(fired::get).mapToObj(due::get).toList();
        if (!done.isEmpty()) {
            table.removeTaken(done);
        }
        return due.size();
    }

    /** Returns false if it has to be fired again. */
    private boolean fire(Taken taken) {
        try {
            firing.fire(taken.timer());
            return true;
        } catch (RuntimeException e) {
            // A timer is retried for ever: whatever the failure, its lease must not stay behind.
            Instant again =
                    clock.instant()
                            .plus(Backoff.USUAL.after(taken.failures() + 1, taken.timer().key()));
            LOG.atWarn()
                    .addKeyValue("lease_id", taken.timer().command().leaseId())
                    .addKeyValue("timer", taken.timer().key())
                    .addKeyValue("again", again)
                    .setCause(e)
                    .log("A timer could not fire");
            putBack(taken, again);
            return false;
        }
    }

    private void putBack(Taken taken, Instant again) {
        try {
            table.putBack(taken, again);
        } catch (DataAccessException e) {
            // It fires again all the same, as if this node had died.
            LOG.atWarn()
                    .addKeyValue("timer", taken.timer().key())
                    .setCause(e)
                    .log("A timer cannot be put back");
        }
    }
}
