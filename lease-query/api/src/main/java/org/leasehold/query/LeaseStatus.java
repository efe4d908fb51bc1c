package org.leasehold.query;

/** Where a lease is in its life. */
public enum LeaseStatus {
    /** Accepted; its window has not begun. */
    PENDING,
    /** Its window has begun, but resources of it are still in other hands. */
    DELAYED,
    /** Plugins are starting its reservations. */
    STARTING,
    ACTIVE,
    /** Plugins are taking back what it had. */
    ENDING,
    ENDED,
    /** A plugin could not do its part. */
    ERROR,
    /** Deleted, but the cloud is still being cleaned. */
    DELETING
}
