package org.leasehold.saga.scheduler;

import java.time.Duration;

/**
 * A time in which more is due than this node can decide at once. No plugin is asked for anything
 * new meanwhile: a decision takes a fraction of what an action takes, others wait for it, and an
 * action that is begun between decisions delays all that come after.
 */
public final class Rush {

    private final Duration longest;
    private boolean on;
    private long began;

    /** For a rush that holds actions back only so long, should it not end. */
    public Rush(Duration longest) {
        this.longest = longest;
    }

    /** Has no effect on one that goes on. */
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

    /** Returns at once when there is none. */
    public synchronized void awaitEnd() throws InterruptedException {
        for (long left = left(); left > 0; left = left()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    private long left() {
        return on ? began + longest.toNanos() - System.nanoTime() : 0;
    }
}
