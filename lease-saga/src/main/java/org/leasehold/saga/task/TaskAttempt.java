package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * A task with its attempts so far.
 *
 * @param attempts the number of failed attempts
 * @param failingSince the time of the first failure; null if it has not failed
 * @param owned whether no other node has taken the task since, or done it
 */
record TaskAttempt(
        SubmittedTask submitted,
        int attempts,
        @Nullable Instant failingSince,
        BooleanSupplier owned) {

    /** Returns the first failure; a long first attempt does not shorten the time to retry. */
    Instant failingSince(Instant now) {
        return failingSince == null ? now : failingSince;
    }

    PluginTask task() {
        return submitted.task();
    }
}
