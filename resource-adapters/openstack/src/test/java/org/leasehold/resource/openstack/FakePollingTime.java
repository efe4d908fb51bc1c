package org.leasehold.resource.openstack;

import java.time.Duration;

/**
 * The time of a test: only pauses move it, and none takes real time. So a timeout is the same
 * number of polls on every machine. Each thread has its own time.
 */
public final class FakePollingTime implements PollingWait.Time {

    private final ThreadLocal<Long> now = ThreadLocal.withInitial(() -> 0L);

    private FakePollingTime() {}

    /** Returns a timeout of a number of polls after the first. */
    public static PollingWait looks(int count) {
        return new PollingWait(
                Duration.ofMillis(count - 1), Duration.ofMillis(1), new FakePollingTime());
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
