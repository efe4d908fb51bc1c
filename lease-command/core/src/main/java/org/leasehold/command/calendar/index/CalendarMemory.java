package org.leasehold.command.calendar.index;

import java.time.Duration;

/** The memory of a node: an index of claims, which may lag behind the event log. */
public interface CalendarMemory {

    /** Returns the position of the last event that the index includes. */
    long position();

    /** Waits until the index includes an event; returns false if that takes too long. */
    boolean awaitPosition(long wanted, Duration timeout);

    /** Returns the index, which may include some later events as well. */
    ClaimIndex index();

    /** Returns a memory that is never new enough: every decision reads the tables in the end. */
    static CalendarMemory alwaysBehind(ClaimIndex index) {
        return new CalendarMemory() {
            @Override
            public long position() {
                return 0;
            }

            @Override
            public boolean awaitPosition(long wanted, Duration timeout) {
                return false;
            }

            @Override
            public ClaimIndex index() {
                return index;
            }
        };
    }
}
