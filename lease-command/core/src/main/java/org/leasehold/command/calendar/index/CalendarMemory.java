package org.leasehold.command.calendar.index;

import java.time.Duration;

/** The memory of a node: an index of claims, which may lag behind the event log. */
public interface CalendarMemory {

    /** A memory that is never ready. */
    CalendarMemory NONE =
            new CalendarMemory() {
                private final ClaimIndex empty = new ClaimIndex();

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
                    return empty;
                }
            };

    /** Returns the position of the last event that the index includes. */
    long position();

    /** Waits until the index includes an event; returns false if that takes too long. */
    boolean awaitPosition(long wanted, Duration timeout);

    /** Returns the index, which may include some later events as well. */
    ClaimIndex index();
}
