package org.leasehold.query;

/** What became of a request for a webhook, or for a calendar's feed. */
public enum SubscriptionOutcome {

    /** It is there. */
    MADE,

    /** Nothing was done: the project has as many as it may. */
    TOO_MANY,

    /** Nothing was done: the request's key was used for another request of the project. */
    KEY_REUSED
}
