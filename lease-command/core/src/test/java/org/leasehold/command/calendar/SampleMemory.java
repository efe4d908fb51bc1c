package org.leasehold.command.calendar;

import java.time.Duration;

/** A memory whose position a test sets. It is never too old for a wait. */
final class SampleMemory implements CalendarMemory {

    private final ClaimIndex index;
    private long position;

    SampleMemory(ClaimIndex index, long position) {
        this.index = index;
        this.position = position;
    }

    void setPosition(long newPosition) {
        position = newPosition;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public boolean awaitPosition(long wanted, Duration timeout) {
        return true;
    }

    @Override
    public ClaimIndex index() {
        return index;
    }
}
