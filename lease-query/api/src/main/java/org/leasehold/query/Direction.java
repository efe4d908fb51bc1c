package org.leasehold.query;

/** Which end of a list comes first. */
public enum Direction {
    ASCENDING,
    DESCENDING
}
