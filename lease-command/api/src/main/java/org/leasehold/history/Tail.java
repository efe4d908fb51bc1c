package org.leasehold.history;

import java.time.Duration;
import java.util.List;

/** The end of all events, for those who follow them. */
public interface Tail {

    /**
     * Waits until there is an event after a position, whichever process stores it.
     *
     * @param longest how long to wait at most
     * @return the position of the last event; not after {@code after} when there was none in time
     */
    long await(long after, Duration longest) throws InterruptedException;

    /**
     * The next events after a position, in order. Those near the end are read once, for all who
     * follow them.
     *
     * @return some hundreds, if there are as many; none if there are none yet
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> after(long position);
}
