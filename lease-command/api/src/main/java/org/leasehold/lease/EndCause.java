package org.leasehold.lease;

/** The cause of a lease's end. */
public enum EndCause {
    /** The window is over. */
    WINDOW_OVER,
    /** The window passed before the lease could start. */
    MISSED,
    /** A caller with the right ended it early. */
    REQUESTED,
    /** The lease was deleted. */
    DELETED,
    /** An operator ended it although the cloud could not be cleaned. */
    FORCED,
    /** A reservation could not be started, and the request was to release the lease then. */
    START_FAILED
}
