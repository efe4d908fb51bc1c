package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** What became of a message. */
sealed interface Outcome {

    /** The receiver has it. */
    record Taken() implements Outcome {}

    /** The receiver wants no more, ever. */
    record Gone() implements Outcome {}

    /**
     * It may not have it.
     *
     * @param status what it answered; null if it did not
     * @param failure what went wrong, in words that tell nothing of the network here
     * @param peace for how long the receiver wants to hear nothing; null if it did not say
     */
    record Failed(@Nullable Integer status, String failure, @Nullable Duration peace)
            implements Outcome {}
}
