package org.leasehold.publishing;

import org.leasehold.history.VitalThreads;

import java.time.Duration;

/** A consumer that sends events to an outside system, in order, each at least once. */
public interface Publication extends VitalThreads {

    /** The time to release the publication after its work was cancelled. */
    Duration RELEASE_TIMEOUT = Duration.ofSeconds(1);

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

    void start();

    /**
     * Ends it after its current work, and releases it for another node. The next owner repeats
     * unfinished work.
     */
    void stop(Duration within) throws InterruptedException;
}
