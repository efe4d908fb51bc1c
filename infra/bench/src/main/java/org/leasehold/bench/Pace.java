package org.leasehold.bench;

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
record Pace(int clients, long nanos, long times, double rate) implements Serializable {

    /** The value that ends the requests. */
    static final long OVER = Long.MIN_VALUE;

    /** Returns the time of the next request, by {@link System#nanoTime}; or {@link #OVER}. */
    interface Arrivals {
        long next();
    }

    static Pace closed(int clients, Duration time) {
        return new Pace(clients, time.toNanos(), Long.MAX_VALUE, 0);
    }

    static Pace closed(int clients, long times) {
        return new Pace(clients, Long.MAX_VALUE / 2, times, 0);
    }

    static Pace open(int clients, Duration time, double rate) {
        return new Pace(clients, time.toNanos(), Long.MAX_VALUE, rate);
    }

    Arrivals from(long began) {
        AtomicLong asked = new AtomicLong();
        return rate == 0 ? () -> atOnce(began, asked) : () -> onSchedule(began, asked);
    }

    private long atOnce(long began, AtomicLong asked) {
        long now = System.nanoTime();
        return now - began >= nanos || asked.getAndIncrement() >= times ? OVER : now;
    }

    private long onSchedule(long began, AtomicLong asked) {
        long number = asked.getAndIncrement();
        long after = (long) (number * (TimeUnit.SECONDS.toNanos(1) / rate));
        if (after >= nanos || number >= times) {
            return OVER;
        }
        long due = began + after;
        for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
            LockSupport.parkNanos(early);
        }
        return due;
    }
}
