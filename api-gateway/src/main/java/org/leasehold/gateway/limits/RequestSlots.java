package org.leasehold.gateway.limits;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The requests that are served at once. Each owner has so many slots, and all of them together have
 * so many. A request waits for its slot, so that bursts of one owner are served one after the
 * other, and others are served beside them.
 */
public final class RequestSlots {

    private final Semaphore everybody;
    private final LoadingCache<String, Semaphore> owners;
    private final Duration patience;

    /**
     * Slots that nobody has taken.
     *
     * @param each how many one owner has
     * @param all how many there are
     * @param patience how long a request waits
     */
    public RequestSlots(int each, int all, Duration patience) {
        this.everybody = new Semaphore(all, true);
        // Whoever waits or has a slot holds the semaphore; nobody else needs it.
        this.owners = Caffeine.newBuilder().weakValues().build(_ -> new Semaphore(each, true));
        this.patience = patience;
    }

    /** What a request that wants a slot gets. */
    public sealed interface Turn {

        /** A slot, until it is closed. */
        record Taken(Semaphore own, Semaphore all) implements Turn, AutoCloseable {

            @Override
            public void close() {
                all.release();
                own.release();
            }
        }

        /** Nothing: other requests of the same owner have all of its slots. */
        record OwnTaken() implements Turn {}

        /** Nothing: the requests of all owners together have all slots. */
        record AllTaken() implements Turn {}
    }

    /** Waits for a slot, with patience. */
    public Turn take(String owner) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Semaphore own = owners.get(owner);
        if (!own.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return new Turn.OwnTaken();
        }
        boolean taken = false;
        try {
            taken = everybody.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return taken ? new Turn.Taken(own, everybody) : new Turn.AllTaken();
        } finally {
            if (!taken) {
                own.release();
            }
        }
    }
}
