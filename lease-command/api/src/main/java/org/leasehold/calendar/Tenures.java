package org.leasehold.calendar;

import org.leasehold.lease.Tenure;

/** Fencing: whether a reservation still is the one that holds its resources. */
public interface Tenures {

    /** False when the resources were released or taken over since: the caller must do nothing. */
    boolean isCurrent(Tenure tenure);
}
