package org.leasehold.saga.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of timers. Every method is one statement. */
interface TimerTable {

    /** The time after which a node that has not removed its timer is dead, or nearly so. */
    Duration CLAIM_TIMEOUT = Duration.ofSeconds(10);

    /**
     * A timer that this node has taken. Setting it again gives it another version, and this one
     * then has no effect on the table.
     *
     * @param failures the number of earlier failures of its command
     */
    record Taken(Timer timer, long version, int failures) {}

    void set(List<Timer> timers);

    void remove(List<String> keys);

    /**
     * The most retries of requests that are taken together. The calendar refuses most of them, each
     * in its own transaction, and a start that becomes due meanwhile waits for them.
     */
    int MAX_RETRIES = 32;

    /**
     * Takes due timers that no other node has taken: ends first, then starts, and then at most
     * {@link #MAX_RETRIES} retries of requests.
     */
    List<Taken> takeDue(Instant now, int limit);

    void removeFired(List<Taken> fired);

    /** Releases a timer, to fire again from {@code when} on. */
    void reschedule(Taken failed, Instant when);

    /** Returns the time of the next due timer; empty when there is none. */
    Optional<Instant> nextDueTime();
}
