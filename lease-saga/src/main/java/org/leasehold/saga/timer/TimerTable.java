package org.leasehold.saga.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of timers. Every method is one statement. */
interface TimerTable {

    /** A node that has not removed a timer so long after it took it is dead, or nearly so. */
    Duration TAKEN_FOR = Duration.ofSeconds(10);

    /**
     * A timer in this node's hands. Whoever sets it anew gives it another version, and what becomes
     * of this one has no effect on the table.
     *
     * @param failures how often its command failed before
     */
    record Taken(Timer timer, long version, int failures) {}

    void set(List<Timer> timers);

    void remove(List<String> keys);

    /** Takes what is due and in nobody else's hands, ends first. */
    List<Taken> take(Instant now, int atMost);

    void removeTaken(List<Taken> fired);

    /** Lets a timer fire again from {@code when} on. */
    void putBack(Taken failed, Instant when);

    /** When the next timer is due; empty when there is none. */
    Optional<Instant> next();
}
