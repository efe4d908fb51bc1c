package org.leasehold.resource.simulator;

/** A failure of an operation of the simulated cloud. */
public enum InjectedFault {
    /** A denied right. The operation has no effect. */
    REFUSE,
    /** A lack of the requested resource. The operation has no effect. */
    EXHAUSTED,
    /** A defect that a retry does not cure. The operation has no effect. */
    BROKEN,
    /** An unavailable cloud, which responds so. The operation has no effect. */
    UNAVAILABLE,
    /** A lost response. The operation has no effect. */
    TIME_OUT_BEFORE,
    /** A lost response. The operation took effect. */
    TIME_OUT_AFTER
}
