package org.leasehold.history;

import java.time.Duration;

/** The end of all events, for those who follow them. */
public interface Tail {

    /**
     * Waits until there is an event after a position, whichever process stores it.
     *
     * @param longest how long to wait at most
     * @return the position of the last event; not after {@code after} when there was none in time
     */
    long await(long after, Duration longest) throws InterruptedException;
}
