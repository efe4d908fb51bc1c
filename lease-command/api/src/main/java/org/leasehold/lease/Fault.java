package org.leasehold.lease;

/**
 * A failure outside the engine, told in its own terms.
 *
 * @param kind what can be done about it
 * @param message for people: names the resource and the cause, never a secret. Its first line is
 *     for everybody who sees the lease. Further lines may name what others have, and are for
 *     operators
 */
public record Fault(Kind kind, String message) {

    /** The same fault in words for everybody who sees the lease. */
    public Fault forHolder() {
        return new Fault(kind, forHolder(message));
    }

    /** What everybody who sees the lease may read of a message. */
    public static String forHolder(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** What can be done about a fault. */
    public enum Kind {
        /** Trying again later may help. */
        RETRYABLE,
        /**
         * Nothing has failed: the cloud is about it, and says itself when it has been too long.
         * Looking again helps.
         */
        UNDERWAY,
        /** The cloud has not got what was promised. */
        INSUFFICIENT_RESOURCES,
        /** The cloud says that we may not. */
        DENIED,
        /** Trying again will not help. */
        PERMANENT
    }
}
