package org.leasehold.query;

/** The order of a list. */
public enum Direction {
    ASCENDING,
    DESCENDING
}
