package org.leasehold.query;

import java.time.Instant;

/** How far the history goes. */
public interface Positions {

    /** The position of the last event: whatever is asked from now on includes it. */
    long last();

    /**
     * The position of the last event that the database had stored by an instant, in the past; 0 if
     * there was none. If the database's clock was ever set back, it may be an earlier one.
     */
    long at(Instant instant);
}
