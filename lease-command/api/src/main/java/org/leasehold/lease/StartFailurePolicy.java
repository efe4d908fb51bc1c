package org.leasehold.lease;

/** The policy for a lease of which a reservation fails to start, until the lease is active. */
public enum StartFailurePolicy {
    /** The lease is in error, what runs keeps running, and an operator can retry the start. */
    KEEP,
    /** The whole lease ends at once, and everything is taken back. */
    RELEASE
}
