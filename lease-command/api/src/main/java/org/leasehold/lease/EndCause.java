package org.leasehold.lease;

/** Why a lease came to its end. */
public enum EndCause {
    /** Its window is over. */
    WINDOW_OVER,
    /** Its window passed before it could start. */
    MISSED,
    /** Somebody who may ended it before its time. */
    REQUESTED,
    /** It was deleted. */
    DELETED,
    /** An operator gave up on cleaning the cloud. */
    FORCED
}
