package org.leasehold.readmodel;

/** The order of a list. */
public enum SortDirection {
    ASCENDING,
    DESCENDING
}
