package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A second attempt, a moment later, at a query that failed at once. Otherwise an action of many
 * requests would start from the beginning, and wait longer each time. It might never get past its
 * queries while one in five fails.
 */
final class RetryOnce {

    private static final Duration FAST_FAILURE_LIMIT = Duration.ofSeconds(1);
    private static final Duration RETRY_DELAY = Duration.ofMillis(200);

    private RetryOnce() {}

    /**
     * Runs a query, and once more if it failed at once. A slow failure must not take twice as long.
     *
     * @param question can be repeated any number of times
     */
    static <T> T call(Supplier<T> question) {
        long began = System.nanoTime();
        try {
            return question.get();
        } catch (CloudFailure failure) {
            boolean late = System.nanoTime() - began > FAST_FAILURE_LIMIT.toNanos();
            if (late || failure.fault().kind() != Fault.Kind.RETRYABLE || !pauseBeforeRetry()) {
                throw failure;
            }
            return question.get();
        }
    }

    private static boolean pauseBeforeRetry() {
        try {
            Thread.sleep(RETRY_DELAY);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
