package org.leasehold.resource.simulator;

/** How an operation of the simulated cloud goes wrong. */
public enum Misbehaviour {
    /** The cloud says that we may not. Nothing happens. */
    REFUSE,
    /** The cloud has run out of what is asked for. Nothing happens. */
    EXHAUSTED,
    /** The cloud has a defect that repeating does not cure. Nothing happens. */
    BROKEN,
    /** The cloud answers that it cannot answer. Nothing happens. */
    UNAVAILABLE,
    /** The answer does not come, and nothing happened. */
    TIME_OUT_BEFORE,
    /** The answer does not come, but the operation took effect. */
    TIME_OUT_AFTER
}
