package org.leasehold.history;

import java.time.Duration;
import java.util.List;

/** The end of the event log, for consumers. */
public interface EventLogTail {

    /**
     * Waits until an event after a position exists, regardless of which process stores it.
     *
     * @param longest the timeout
     * @return the position of the last event; not above {@code after} if none came in time
     */
    long awaitEventAfter(long after, Duration longest) throws InterruptedException;

    /**
     * Returns the next events after a position, in order. Events near the end are read once for all
     * consumers.
     *
     * @return up to some hundred events; empty if there are none yet
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> readAfter(long position);
}
