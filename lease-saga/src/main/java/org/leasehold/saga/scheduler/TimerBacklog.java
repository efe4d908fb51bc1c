package org.leasehold.saga.scheduler;

import java.time.Duration;

/**
 * A time in which more timers are due than this node can decide at once. No new plug-in call starts
 * meanwhile. A decision is much faster than an action, and others wait for it. An action between
 * decisions delays all that follow.
 */
public final class TimerBacklog {

    private final Duration maxDuration;
    private boolean active;
    private long startNanos;

    /** Creates a backlog that delays actions at most this long, should it not end. */
    public TimerBacklog(Duration longest) {
        this.maxDuration = longest;
    }

    /** Starts the backlog; no effect if there is one already. */
    public synchronized void begin() {
        if (!active) {
            active = true;
            startNanos = System.nanoTime();
        }
    }

    public synchronized void end() {
        active = false;
        notifyAll();
    }

    /** Waits for the end of the backlog; returns at once when there is none. */
    public synchronized void awaitEnd() throws InterruptedException {
        for (long left = remainingNanos(); left > 0; left = remainingNanos()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    private long remainingNanos() {
        return active ? startNanos + maxDuration.toNanos() - System.nanoTime() : 0;
    }
}
