package org.leasehold.history;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A thread that repeats a step until it is stopped. A failed step does not end it: the thread
 * pauses and repeats the step. It can be started again after a stop.
 */
public final class RetryingThread implements VitalThreads {

    private final String name;
    private final Body body;
    private @Nullable Thread thread;
    private boolean idle;
    private boolean woken;
    private volatile boolean running;
    private volatile boolean failing;

    /**
     * Creates a thread that does nothing before {@link #start()}.
     *
     * @param body calls {@link #repeat}, and releases afterwards what the steps need
     */
    public RetryingThread(String name, Body body) {
        this.name = name;
        this.body = body;
    }

    /** Work of the thread. An interrupt ends it, and the thread. */
    @FunctionalInterface
    public interface Body {

        void run() throws InterruptedException;
    }

    /** Work that the thread repeats. */
    @FunctionalInterface
    public interface Step {

        /** Returns the pause before the next step. */
        Duration run() throws InterruptedException;
    }

    public synchronized void start() {
        if (!running) {
            running = true;
            failing = false;
            thread = Thread.ofPlatform().daemon().name(name).start(this::run);
        }
    }

    private void run() {
        try {
            body.run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Repeats a step until the thread is stopped. A failure after a request to stop is ignored,
     * because the stop may cause it.
     *
     * @param backoff returns the pause after so many failures in succession
     * @param failureListener receives each failure
     */
    public void repeat(
            Step step, IntFunction<Duration> backoff, Consumer<Throwable> failureListener)
            throws InterruptedException {
        int failures = 0;
        while (mustContinue()) {
            clearWake();
            Duration pause;
            try {
                pause = step.run();
                failures = 0;
                failing = false;
            } catch (RuntimeException | Error e) {
                if (!running) {
                    return;
                }
                failures++;
                failing = true;
                failureListener.accept(e);
                pause = backoff.apply(failures);
            }
            pause(pause);
        }
    }

    /** Returns false also if a later start has replaced this thread, which had not ended yet. */
    private synchronized boolean mustContinue() {
        return running && Thread.currentThread() == thread;
    }

    private synchronized void clearWake() {
        woken = false;
    }

    /** Waits until the time is over, or until {@link #wake()} or a request to stop. */
    public synchronized void pause(Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long end = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos();
                running && !woken && left > 0;
                left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Omits or ends the pause after the current step. */
    public synchronized void wake() {
        woken = true;
        notifyAll();
    }

    /** Runs a wait that a request to stop interrupts, as part of a step. */
    public void waitIdle(Body wait) throws InterruptedException {
        synchronized (this) {
            if (!running) {
                return;
            }
            idle = true;
        }
        try {
            wait.run();
        } finally {
            synchronized (this) {
                idle = false;
            }
        }
    }

    /** Returns true from the start to the request to stop. */
    public boolean isRunning() {
        return running;
    }

    /** Returns true if the last step failed. */
    public boolean isFailing() {
        return failing;
    }

    @Override
    public synchronized Set<String> endedThreads() {
        return running && thread != null && !thread.isAlive() ? Set.of(name) : Set.of();
    }

    /** Requests a stop, and interrupts the current step. */
    public synchronized void interrupt() {
        requestStop();
        if (thread != null) {
            thread.interrupt();
        }
    }

    private synchronized void requestStop() {
        running = false;
        notifyAll();
        if (idle && thread != null) {
            thread.interrupt();
        }
    }

    /** Waits for the end of the thread; returns false if it takes longer. */
    public boolean join(Duration atMost) throws InterruptedException {
        Thread joined;
        synchronized (this) {
            joined = thread;
        }
        return joined == null || joined.join(atMost);
    }

    /**
     * Stops the thread after its current step.
     *
     * @param patience the time for the step, which is interrupted after that
     * @param rest the time for the end of the thread after the interrupt
     */
    public void stop(Duration patience, Duration rest) throws InterruptedException {
        requestStop();
        if (!join(patience)) {
            interrupt();
            boolean _ = join(rest);
        }
    }
}
