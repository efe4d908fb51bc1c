package org.leasehold.readmodel.event;

import java.time.Instant;

/** Positions in the event log. */
public interface EventLogPositions {

    /** Returns the position of the last event; every later query includes it. */
    long last();

    /**
     * Returns the position of the last event that the database had stored by a past instant; 0 if
     * there was none. If the database's clock was ever set back, it may be an earlier one.
     */
    long at(Instant instant);
}
