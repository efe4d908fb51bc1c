package org.leasehold.readmodel.operation;

import java.time.Duration;
import java.util.Set;

/** The positions of the read models that follow the event log asynchronously. */
public interface ProjectionOffsets {

    Set<String> names();

    /**
     * Returns the position of a read model: it includes every event up to that one, and none after
     * it.
     */
    long position(String name);

    /**
     * Waits until a read model reaches a position. One poller queries the database for all waiting
     * callers.
     *
     * @return its position as far as this node knows; before {@code position} after a timeout
     */
    long await(String name, long position, Duration longest) throws InterruptedException;
}
