package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A wait with a timeout for asynchronous work of the cloud.
 *
 * @param longest less than the timeout of a whole call
 * @param pause between two polls
 * @param time the clock of the wait
 */
public record PollingWait(Duration longest, Duration pause, Time time) {

    /** The time that passes while a thread waits. */
    public interface Time {

        /** The time of this machine. */
        Time SYSTEM =
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

        /** Returns the nanoseconds since a moment that is constant for one thread. */
        long nanos();

        /** Returns after the calling thread has paused for the duration. */
        void pause(Duration pause) throws InterruptedException;
    }

    public PollingWait(Duration longest, Duration pause) {
        this(longest, pause, Time.SYSTEM);
    }

    /**
     * Polls until nothing is left to wait for.
     *
     * @param look describes, for people, what is left; empty for nothing
     * @throws CloudFailure after the timeout; a retry polls again
     */
    public void await(Supplier<Optional<String>> look) {
        awaitRemaining(look)
                .ifPresent(
                        left -> {
                            throw timeoutFailure(left);
                        });
    }

    /**
     * Polls until nothing is left to wait for, or until the timeout.
     *
     * @return what is left then
     */
    public <T> Optional<T> awaitRemaining(Supplier<Optional<T>> look) {
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

    private static CloudFailure timeoutFailure(String message) {
        return new CloudFailure(Fault.Kind.RETRYABLE, CloudFailure.NO_ANSWER, message);
    }
}
