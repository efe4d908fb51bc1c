package org.leasehold.command.calendar.stored;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records whether another node was faster lately, so that a look at the tables pays before a
 * choice.
 */
public final class ContentionMode {

    private static final int PESSIMISTIC_READS = 16;

    private final AtomicInteger remainingReads = new AtomicInteger();

    void recordContention() {
        remainingReads.set(PESSIMISTIC_READS);
    }

    boolean isPessimistic() {
        return remainingReads.get() > 0;
    }

    /** Counts a look at the tables before a choice: by a hold, or by a start. */
    void countRead() {
        remainingReads.updateAndGet(looks -> Math.max(0, looks - 1));
    }
}
