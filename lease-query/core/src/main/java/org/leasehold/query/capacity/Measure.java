package org.leasehold.query.capacity;

/** What is measured of resources, in millionths of one; named as the tables' columns. */
enum Measure {
    ENROLLED,
    RESERVABLE,
    RESERVED,
    ACTIVE,
    REFUSED
}
