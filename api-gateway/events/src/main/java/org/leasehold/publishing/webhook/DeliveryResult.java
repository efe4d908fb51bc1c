package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The outcome of a message. */
sealed interface DeliveryResult {

    /** The receiver accepted it. */
    record Taken() implements DeliveryResult {}

    /** The receiver wants no more messages, ever. */
    record Gone() implements DeliveryResult {}

    /**
     * The receiver may not have it.
     *
     * @param status the status of the response; null without one
     * @param failure the problem, in words that reveal nothing of the internal network
     * @param peace the pause that the receiver requested; null for none
     */
    record Failed(@Nullable Integer status, String failure, @Nullable Duration peace)
            implements DeliveryResult {}
}
