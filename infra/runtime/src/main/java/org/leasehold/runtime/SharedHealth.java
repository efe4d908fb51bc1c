package org.leasehold.runtime;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A health that one thread at a time checks, however many clients ask; they need no login. All
 * requests during a check share the next one, so that no result is older than its request.
 */
final class SharedHealth implements HealthIndicator {

    private final HealthIndicator looked;
    private final Lock lock = new ReentrantLock();
    private final AtomicLong begun = new AtomicLong();
    private Health last = unknown();

    SharedHealth(HealthIndicator looked) {
        this.looked = looked;
    }

    private static Health unknown() {
        return Health.unknown().build();
    }

    @Override
    public Health health() {
        long before = begun.get();
        lock.lock();
        try {
            if (begun.get() == before) {
                begun.incrementAndGet();
                // If the check ends with an Error, waiting requests do not get an old result.
                last = unknown();
                last = Objects.requireNonNullElseGet(looked.health(), SharedHealth::unknown);
            }
            return last;
        } finally {
            lock.unlock();
        }
    }
}
