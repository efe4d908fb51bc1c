package org.leasehold.bench;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * When clients ask. In a closed loop each asks again as soon as it is answered. In an open loop
 * questions arrive by a fixed schedule, whether or not those before are answered: whoever has no
 * client left to ask it waits, and that counts.
 *
 * @param nanos for how long
 * @param times how many times at most
 * @param rate questions a second of an open loop; 0 for a closed one
 */
record Pace(int clients, long nanos, long times, double rate) implements Serializable {

    /** There is nothing more to ask. */
    static final long OVER = Long.MIN_VALUE;

    /** When to ask next, on the clock of {@link System#nanoTime}; or {@link #OVER}. */
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
