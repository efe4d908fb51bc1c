package org.leasehold.command.epoch;

import java.io.Serial;

/** Signals that the database lost events and that no operator has begun a new epoch. */
public final class LostEventsException extends IllegalStateException {

    @Serial private static final long serialVersionUID = 1L;

    private final long nextEpoch;

    LostEventsException(String message, long nextEpoch) {
        super(message);
        this.nextEpoch = nextEpoch;
    }

    /** Returns the number of the epoch that an operator can begin. */
    public long nextEpoch() {
        return nextEpoch;
    }
}
