package org.leasehold.lease;

/** What a resource plugin is asked to do for a reservation. */
public enum Action {
    /** Do what is to be done as soon as a lease is accepted that starts later. */
    PREPARE,
    /** Give the project what it was promised. */
    START,
    /** Add and take away resources of a running reservation. */
    ADJUST,
    /** Do what was asked for shortly before the end. */
    BEFORE_END,
    /** Take everything back. */
    END
}
