package org.leasehold.saga.timer;

import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.scheduler.Backoff;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Timers for a single thread that says when to fire. */
final class InMemoryTimers implements Timers {

    private static final Comparator<Entry> ENDS_FIRST =
            Comparator.<Entry, Boolean>comparing(
                            e -> !(e.timer().command() instanceof LeaseCommand.EndLease))
                    .thenComparing(Entry::at)
                    .thenComparing(e -> e.timer().key());

    private final TreeMap<String, Entry> entries = new TreeMap<>();
    private final Clock clock;
    private final Firing firing;

    InMemoryTimers(Clock clock, Firing firing) {
        this.clock = clock;
        this.firing = firing;
    }

    /** Not a record: an entry that was set anew is another one, even with the same values. */
    private static final class Entry {

        private final Timer timer;
        private Instant at;
        private int failures;

        Entry(Timer timer) {
            this.timer = timer;
            this.at = timer.due();
        }

        Timer timer() {
            return timer;
        }

        Instant at() {
            return at;
        }
    }

    @Override
    public void set(List<Timer> timers) {
        timers.forEach(timer -> entries.put(timer.key(), new Entry(timer)));
    }

    @Override
    public void cancel(List<String> keys) {
        keys.forEach(entries::remove);
    }

    /** Fires what is due, one after the other; false if nothing was. */
    boolean fireNext() {
        Instant now = clock.instant();
        Optional<Entry> next =
                entries.values().stream().filter(e -> !e.at().isAfter(now)).min(ENDS_FIRST);
        next.ifPresent(this::fire);
        return next.isPresent();
    }

    private void fire(Entry entry) {
        try {
            firing.fire(entry.timer());
            entries.remove(entry.timer().key(), entry);
        } catch (IllegalStateException fault) {
            entry.failures++;
            entry.at =
                    clock.instant().plus(Backoff.USUAL.after(entry.failures, entry.timer().key()));
        }
    }
}
