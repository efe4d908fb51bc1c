package org.leasehold.readmodel.lease;

/** The state of a lease in its life. */
public enum LeaseStatus {
    /** The calendar cannot hold it yet, and the engine retries its request. */
    RETRYING,
    /** Accepted; its window has not begun. */
    PENDING,
    /** Delayed: its window has begun, but other leases still have resources of it. */
    DELAYED,
    /** Plug-ins are starting its reservations. */
    STARTING,
    ACTIVE,
    /** Plug-ins are taking back its resources. */
    ENDING,
    ENDED,
    /** A plug-in failed. */
    ERROR,
    /** Deleted, but the cloud is still being cleaned. */
    DELETING
}
