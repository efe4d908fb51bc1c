package org.leasehold.command.execution;

import org.leasehold.command.ContentionException;
import org.leasehold.command.journal.ConflictClassifier;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Retries a decision that lost to a concurrent command: ten attempts within less than five seconds.
 */
final class ContentionRetry {

    private static final int MAX_ATTEMPTS = 10;
    private static final long MIN_PAUSE_MILLIS = 4;
    private static final long MAX_PAUSE_MILLIS = 640;

    private final RandomGenerator random;
    private final Pause pause;

    ContentionRetry(RandomGenerator random, Pause pause) {
        this.random = random;
        this.pause = pause;
    }

    <T> T retryOnConflict(Supplier<T> decision) {
        for (int tried = 1; ; tried++) {
            try {
                return decision.get();
            } catch (RuntimeException e) {
                if (!ConflictClassifier.isConflict(e)) {
                    throw e;
                }
                if (tried == MAX_ATTEMPTS) {
                    throw new ContentionException("gave up after " + MAX_ATTEMPTS + " tries", e);
                }
                pauseBeforeRetry(tried, e);
            }
        }
    }

    /** Pauses with jitter, so that the losers of one conflict do not collide again. */
    private void pauseBeforeRetry(int tried, RuntimeException conflict) {
        long longest = Math.min(MAX_PAUSE_MILLIS, MIN_PAUSE_MILLIS << tried);
        try {
            pause.sleep(Duration.ofMillis(random.nextLong(longest / 2, longest)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContentionException("interrupted while waiting to try again", conflict);
        }
    }

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {

        void sleep(Duration duration) throws InterruptedException;
    }
}
