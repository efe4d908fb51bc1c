package org.leasehold.publishing;

import java.time.Duration;

/** Tells somebody outside of events, in order, each at least once. Idle until it is started. */
public interface Publication {

    /** As in the table {@code publication}. */
    String name();

    /** Everything up to this position has been taken, whichever node told it. */
    long position();

    /**
     * How many events are yet to be published, or of whatever else it tells.
     *
     * @param last the position of the last event of all
     */
    default long lag(long last) {
        return Math.max(0, last - position());
    }

    /** Whether this node has tried to go on, and could not. */
    boolean isFailing();

    /** Whether its thread is gone, although nobody has stopped it. */
    boolean hasEnded();

    void start();

    /**
     * Ends it after what it is at, and leaves it to another node. What is not done in time is told
     * once more by whoever goes on.
     */
    void stop(Duration within) throws InterruptedException;
}
