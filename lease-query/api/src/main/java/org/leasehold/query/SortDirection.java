package org.leasehold.query;

/** The order of a list. */
public enum SortDirection {
    ASCENDING,
    DESCENDING
}
