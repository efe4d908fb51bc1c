package org.leasehold.saga.timer;

import org.leasehold.saga.scheduler.AfterCommit;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The timers, on the table that {@link TimerLoop} polls. */
record PostgresTimers(TimerTable table, TimerLoop loop) implements Timers {

    @Override
    public void set(List<Timer> timers) {
        table.set(timers);
        timers.stream()
                .map(Timer::due)
                .min(Comparator.naturalOrder())
                .ifPresent((Instant due) -> AfterCommit.run(() -> loop.notifyDue(due)));
    }

    @Override
    public void cancel(List<String> keys) {
        table.remove(keys);
    }
}
