package org.leasehold.runtime;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A health that is looked at by one thread at a time, however many clients ask, each of them
 * without a login. All that come during a look share the next one, so that no answer is older than
 * its question.
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
                // Should the look end with an Error, those that wait do not get an old answer.
                last = unknown();
                last = Objects.requireNonNullElseGet(looked.health(), SharedHealth::unknown);
            }
            return last;
        } finally {
            lock.unlock();
        }
    }
}
