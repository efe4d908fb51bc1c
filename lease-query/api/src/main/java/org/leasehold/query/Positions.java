package org.leasehold.query;

/** How far the history goes. */
public interface Positions {

    /** The position of the last event: whatever is asked from now on includes it. */
    long last();
}
