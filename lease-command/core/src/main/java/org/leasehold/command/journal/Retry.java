package org.leasehold.command.journal;

import org.leasehold.command.ContentionException;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Retries a decision that lost to a concurrent command: ten attempts within less than five seconds.
 */
final class Retry {

    private static final int TRIES = 10;
    private static final long SHORTEST_PAUSE_MILLIS = 4;
    private static final long LONGEST_PAUSE_MILLIS = 640;

    private final RandomGenerator random;
    private final Pause pause;

    Retry(RandomGenerator random, Pause pause) {
        this.random = random;
        this.pause = pause;
    }

    <T> T untilDecided(Supplier<T> decision) {
        for (int tried = 1; ; tried++) {
            try {
                return decision.get();
            } catch (RuntimeException e) {
                if (!Conflicts.isConflict(e)) {
                    throw e;
                }
                if (tried == TRIES) {
                    throw new ContentionException("gave up after " + TRIES + " tries", e);
                }
                rest(tried, e);
            }
        }
    }

    /** Pauses with jitter, so that the losers of one conflict do not collide again. */
    private void rest(int tried, RuntimeException conflict) {
        long longest = Math.min(LONGEST_PAUSE_MILLIS, SHORTEST_PAUSE_MILLIS << tried);
        try {
            pause.rest(Duration.ofMillis(random.nextLong(longest / 2, longest)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContentionException("interrupted while waiting to try again", conflict);
        }
    }

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {

        void rest(Duration duration) throws InterruptedException;
    }
}
