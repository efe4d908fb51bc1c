package org.leasehold.runtime.health;

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
final class SingleFlightHealth implements HealthIndicator {

    private final HealthIndicator delegate;
    private final Lock lock = new ReentrantLock();
    private final AtomicLong checkCount = new AtomicLong();
    private Health last = unknown();

    SingleFlightHealth(HealthIndicator looked) {
        this.delegate = looked;
    }

    private static Health unknown() {
        return Health.unknown().build();
    }

    @Override
    public Health health() {
        long before = checkCount.get();
        lock.lock();
        try {
            if (checkCount.get() == before) {
                checkCount.incrementAndGet();
                // If the check ends with an Error, waiting requests do not get an old result.
                last = unknown();
                last =
                        Objects.requireNonNullElseGet(
                                delegate.health(), SingleFlightHealth::unknown);
            }
            return last;
        } finally {
            lock.unlock();
        }
    }
}
