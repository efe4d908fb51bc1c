package org.leasehold.lease;

/** An action of a plug-in for a reservation. */
public enum Action {
    /** Prepares a lease that starts later, as soon as it is accepted. */
    PREPARE,
    /** Provides the granted resources to the project. */
    START,
    /** Adds and removes resources of a running reservation. */
    ADJUST,
    /** Does the action that the request specified for the time shortly before the end. */
    BEFORE_END,
    /** Takes back all resources. */
    END
}
