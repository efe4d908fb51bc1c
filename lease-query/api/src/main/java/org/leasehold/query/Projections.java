package org.leasehold.query;

import java.time.Duration;
import java.util.Set;

/** How far those read models are that follow the events at a distance. */
public interface Projections {

    Set<String> names();

    /**
     * The position that a read model stands on: it includes every event up to that one, and none
     * after it.
     */
    long position(String name);

    /**
     * Waits until a read model stands on a position. However many wait, the database is asked by
     * one.
     *
     * @return the position that it stands on as far as this node knows; before {@code position} if
     *     it did not get there in time
     */
    long await(String name, long position, Duration longest) throws InterruptedException;
}
