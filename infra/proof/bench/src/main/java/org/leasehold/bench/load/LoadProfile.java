package org.leasehold.bench.load;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The pace of requests. In a closed loop, each client sends the next request after the response. In
 * an open loop, requests arrive on a fixed schedule, whether or not earlier ones have responses. A
 * request that waits for an idle client counts the wait.
 *
 * @param nanos the duration
 * @param times the most requests
 * @param rate requests per second of an open loop; 0 for a closed one
 */
public record LoadProfile(int clients, long nanos, long times, double rate)
        implements Serializable {

    /** The value that ends the requests. */
    static final long END_OF_LOAD = Long.MIN_VALUE;

    /**
     * Returns the time of the next request, by {@link System#nanoTime}; or {@link #END_OF_LOAD}.
     */
    interface Arrivals {
        long next();
    }

    public static LoadProfile closed(int clients, Duration time) {
        return new LoadProfile(clients, time.toNanos(), Long.MAX_VALUE, 0);
    }

    public static LoadProfile closed(int clients, long times) {
        return new LoadProfile(clients, Long.MAX_VALUE / 2, times, 0);
    }

    public static LoadProfile open(int clients, Duration time, double rate) {
        return new LoadProfile(clients, time.toNanos(), Long.MAX_VALUE, rate);
    }

    Arrivals startAt(long began) {
        AtomicLong asked = new AtomicLong();
        return rate == 0 ? () -> nextClosed(began, asked) : () -> nextOpen(began, asked);
    }

    private long nextClosed(long began, AtomicLong asked) {
        long now = System.nanoTime();
        return now - began >= nanos || asked.getAndIncrement() >= times ? END_OF_LOAD : now;
    }

    private long nextOpen(long began, AtomicLong asked) {
        long number = asked.getAndIncrement();
        long after = (long) (number * (TimeUnit.SECONDS.toNanos(1) / rate));
        if (after >= nanos || number >= times) {
            return END_OF_LOAD;
        }
        long due = began + after;
        for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
            LockSupport.parkNanos(early);
        }
        return due;
    }
}
