package org.leasehold.resource.openstack;

import java.time.Duration;

/**
 * The time of a test: only pauses move it, and none takes real time. So a timeout is the same
 * number of polls on every machine. Each thread has its own time.
 */
public final class TimeOfPauses implements Patience.Time {

    private final ThreadLocal<Long> now = ThreadLocal.withInitial(() -> 0L);

    private TimeOfPauses() {}

    /** Returns a timeout of a number of polls after the first. */
    public static Patience looks(int count) {
        return new Patience(Duration.ofMillis(count - 1), Duration.ofMillis(1), new TimeOfPauses());
    }

    @Override
    public long nanos() {
        return now.get();
    }

    @Override
    public void pause(Duration pause) {
        now.set(now.get() + pause.toNanos());
    }
}
