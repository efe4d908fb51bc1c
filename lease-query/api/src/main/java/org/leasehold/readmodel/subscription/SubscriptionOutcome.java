package org.leasehold.readmodel.subscription;

/** The outcome of a request for a webhook or a calendar feed. */
public enum SubscriptionOutcome {

    /** The subscription exists. */
    MADE,

    /** Nothing changed: the project has reached its limit. */
    TOO_MANY,

    /** Nothing changed: the project used the request's key for another request. */
    KEY_REUSED
}
