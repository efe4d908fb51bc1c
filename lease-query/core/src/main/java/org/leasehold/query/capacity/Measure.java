package org.leasehold.query.capacity;

/** What is measured; named as the tables' columns. */
enum Measure {
    ENROLLED,
    RESERVABLE,
    RESERVED,
    ACTIVE,
    REFUSED
}
