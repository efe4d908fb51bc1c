package org.leasehold.lease;

/**
 * A failure outside the engine, in the engine's terms.
 *
 * @param kind the possible reaction
 * @param message a text for people: names the resource and the cause, never a secret. Its first
 *     line is for every reader of the lease. Further lines may name resources of other projects,
 *     and are for operators
 */
public record Fault(Kind kind, String message) {

    /** Returns the same fault with the part of the message for every reader of the lease. */
    public Fault forHolder() {
        return new Fault(kind, forHolder(message));
    }

    /** Returns the part of a message for every reader of the lease. */
    public static String forHolder(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** The possible reaction to a fault. */
    public enum Kind {
        /** A later retry may help. */
        RETRYABLE,
        /**
         * The cloud still works on it without a failure, and reports its own timeouts. Poll again.
         */
        UNDERWAY,
        /** The cloud lacks the promised resources. */
        INSUFFICIENT_RESOURCES,
        /** The cloud denies the engine access. */
        DENIED,
        /** A retry does not help. */
        PERMANENT
    }
}
