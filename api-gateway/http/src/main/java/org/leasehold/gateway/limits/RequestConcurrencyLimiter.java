package org.leasehold.gateway.limits;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A concurrency limit of requests. Each owner has a number of slots, and so have all owners
 * together. A request waits for its slot: a burst of one owner is served one request after the
 * other, while other owners are served in parallel.
 */
public final class RequestConcurrencyLimiter {

    private final Semaphore sharedSlots;
    private final LoadingCache<String, Semaphore> slotsByOwner;
    private final Duration timeout;

    /**
     * Creates slots that are all free.
     *
     * @param each the slots of one owner
     * @param all the slots of all owners together
     * @param patience the longest time that a request waits
     */
    public RequestConcurrencyLimiter(int each, int all, Duration patience) {
        this.sharedSlots = new Semaphore(all, true);
        // A request that waits or has a slot refers to the semaphore; else it can be collected.
        this.slotsByOwner =
                Caffeine.newBuilder().weakValues().build(_ -> new Semaphore(each, true));
        this.timeout = patience;
    }

    /** The result of a request for a slot. */
    public sealed interface Turn {

        /** A slot, until it is closed. */
        record Taken(Semaphore own, Semaphore all) implements Turn, AutoCloseable {

            @Override
            public void close() {
                all.release();
                own.release();
            }
        }

        /** No slot: other requests of the same owner have all of its slots. */
        record OwnTaken() implements Turn {}

        /** No slot: the requests of all owners together have all slots. */
        record AllTaken() implements Turn {}
    }

    /** Waits for a slot, until the timeout. */
    public Turn acquire(String owner) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        Semaphore own = slotsByOwner.get(owner);
        if (!own.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return new Turn.OwnTaken();
        }
        boolean taken = false;
        try {
            taken = sharedSlots.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return taken ? new Turn.Taken(own, sharedSlots) : new Turn.AllTaken();
        } finally {
            if (!taken) {
                own.release();
            }
        }
    }
}
