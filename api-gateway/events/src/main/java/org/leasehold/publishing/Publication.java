package org.leasehold.publishing;

import java.time.Duration;

/** A consumer that sends events to an outside system, in order, each at least once. */
public interface Publication {

    /** Returns the name in the table {@code publication}. */
    String name();

    /** Returns the offset, whichever node has sent the events. */
    long offset();

    /**
     * Returns the number of events, or of other items, that are not published yet.
     *
     * @param last the position of the last event of all
     */
    default long lag(long last) {
        return Math.max(0, last - offset());
    }

    /** Returns true if this node has tried to continue, and failed. */
    boolean isFailing();

    /** Returns true if its thread has ended although the publication was not stopped. */
    boolean hasEnded();

    void start();

    /**
     * Ends it after its current work, and releases it for another node. The next owner repeats
     * unfinished work.
     */
    void stop(Duration within) throws InterruptedException;
}
