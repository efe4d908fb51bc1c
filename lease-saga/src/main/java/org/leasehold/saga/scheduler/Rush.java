package org.leasehold.saga.scheduler;

import java.time.Duration;

/**
 * A time in which more timers are due than this node can decide at once. No new plug-in call starts
 * meanwhile. A decision is much faster than an action, and others wait for it. An action between
 * decisions delays all that follow.
 */
public final class Rush {

    private final Duration longest;
    private boolean on;
    private long began;

    /** Creates a rush that delays actions at most this long, should it not end. */
    public Rush(Duration longest) {
        this.longest = longest;
    }

    /** Starts the rush; no effect if it is on already. */
    public synchronized void begin() {
        if (!on) {
            on = true;
            began = System.nanoTime();
        }
    }

    public synchronized void end() {
        on = false;
        notifyAll();
    }

    /** Waits for the end of the rush; returns at once when there is none. */
    public synchronized void awaitEnd() throws InterruptedException {
        for (long left = left(); left > 0; left = left()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    private long left() {
        return on ? began + longest.toNanos() - System.nanoTime() : 0;
    }
}
