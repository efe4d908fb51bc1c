package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waits for what the cloud does in its own time.
 *
 * @param longest less than a whole call may take
 * @param pause between two looks
 */
public record Patience(Duration longest, Duration pause) {

    /**
     * Looks until nothing is left to wait for.
     *
     * @param look says, for people, what is left; empty for nothing
     * @throws CloudFailure if that takes too long: whoever comes again looks again
     */
    public void await(Supplier<Optional<String>> look) {
        long start = System.nanoTime();
        Optional<String> left = look.get();
        while (left.isPresent()) {
            if (System.nanoTime() - start > longest.toNanos()) {
                throw unfinished(left.get());
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw unfinished("Waiting was given up. " + left.get());
            }
            left = look.get();
        }
    }

    private static CloudFailure unfinished(String message) {
        return new CloudFailure(Fault.Kind.RETRYABLE, CloudFailure.NO_ANSWER, message);
    }
}
