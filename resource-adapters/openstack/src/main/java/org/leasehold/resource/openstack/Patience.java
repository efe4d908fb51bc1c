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
 * @param time what the wait is measured by
 */
public record Patience(Duration longest, Duration pause, Time time) {

    /** The time that passes while a thread waits. */
    public interface Time {

        /** The time of this machine. */
        Time REAL =
                new Time() {
                    @Override
                    public long nanos() {
                        return System.nanoTime();
                    }

                    @Override
                    public void pause(Duration pause) throws InterruptedException {
                        Thread.sleep(pause);
                    }
                };

        /** Nanoseconds since a moment that stays the same for one thread. */
        long nanos();

        /** Returns when the calling thread has paused for so long. */
        void pause(Duration pause) throws InterruptedException;
    }

    public Patience(Duration longest, Duration pause) {
        this(longest, pause, Time.REAL);
    }

    /**
     * Looks until nothing is left to wait for.
     *
     * @param look says, for people, what is left; empty for nothing
     * @throws CloudFailure if that takes too long: whoever comes again looks again
     */
    public void await(Supplier<Optional<String>> look) {
        left(look)
                .ifPresent(
                        left -> {
                            throw unfinished(left);
                        });
    }

    /**
     * Looks until nothing is left to wait for, or for as long as there is patience.
     *
     * @return what is left then
     */
    public <T> Optional<T> left(Supplier<Optional<T>> look) {
        long start = time.nanos();
        Optional<T> left = look.get();
        while (left.isPresent() && time.nanos() - start <= longest.toNanos()) {
            try {
                time.pause(pause);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return left;
            }
            left = look.get();
        }
        return left;
    }

    private static CloudFailure unfinished(String message) {
        return new CloudFailure(Fault.Kind.RETRYABLE, CloudFailure.NO_ANSWER, message);
    }
}
