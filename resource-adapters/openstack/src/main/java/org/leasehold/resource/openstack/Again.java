package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Asks the cloud a second time, a moment later, what failed at once. Else an action of many
 * requests would begin anew, wait longer each time, and might never get past its questions while
 * one of five goes wrong.
 */
final class Again {

    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(200);

    private Again() {}

    /**
     * Whoever has waited for the first failure is not made to wait twice as long.
     *
     * @param question that may be asked any number of times
     */
    static <T> T atOnce(Supplier<T> question) {
        long began = System.nanoTime();
        try {
            return question.get();
        } catch (CloudFailure failure) {
            boolean late = System.nanoTime() - began > AT_ONCE.toNanos();
            if (late || failure.fault().kind() != Fault.Kind.RETRYABLE || !waited()) {
                throw failure;
            }
            return question.get();
        }
    }

    private static boolean waited() {
        try {
            Thread.sleep(MOMENT);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
