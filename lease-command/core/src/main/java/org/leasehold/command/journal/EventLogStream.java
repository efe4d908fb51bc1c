package org.leasehold.command.journal;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The stream of one reader of the event log. It queries the database only after a wake-up. */
final class EventLogStream implements BlockingStream<TrackedEventMessage<?>>, Runnable {

    private final RecentEvents recentEvents;
    private final Consumer<EventLogStream> closed;
    private final Deque<TrackedEventMessage<?>> buffer = new ArrayDeque<>();
    private final Semaphore wakeUps = new Semaphore(1);
    private long position;
    private volatile Runnable callback = () -> {};

    EventLogStream(RecentEvents journal, long position, Consumer<EventLogStream> closed) {
        this.recentEvents = journal;
        this.position = position;
        this.closed = closed;
    }

    /** Wakes the reader. */
    @Override
    public void run() {
        // A pending wake-up covers all earlier commits.
        if (wakeUps.availablePermits() == 0) {
            wakeUps.release();
        }
        callback.run();
    }

    @Override
    public Optional<TrackedEventMessage<?>> peek() {
        fill();
        return Optional.ofNullable(buffer.peek());
    }

    @Override
    public boolean hasNextAvailable(int timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        fill();
        while (buffer.isEmpty() && awaitWakeUp(end - System.nanoTime())) {
            fill();
        }
        return !buffer.isEmpty();
    }

    @Override
    public TrackedEventMessage<?> nextAvailable() throws InterruptedException {
        while (!hasNextAvailable(1, TimeUnit.HOURS)) {
            // Nothing happened for an hour; the caller wants to wait for the next event.
        }
        return buffer.remove();
    }

    /** Returns false after the timeout. */
    private boolean awaitWakeUp(long nanos) throws InterruptedException {
        if (!wakeUps.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        wakeUps.release();
        return true;
    }

    private void fill() {
        // Taken before the query: a commit after the result causes another wake-up.
        if (!buffer.isEmpty() || wakeUps.drainPermits() == 0) {
            return;
        }
        try {
            buffer.addAll(recentEvents.eventsAfter(position));
        } catch (RuntimeException e) {
            wakeUps.release();
            throw e;
        }
        if (!buffer.isEmpty()) {
            position = RecentEvents.position(buffer.getLast());
            wakeUps.release();
        }
    }

    @Override
    public boolean setOnAvailableCallback(Runnable onAvailable) {
        callback = onAvailable;
        return true;
    }

    @Override
    public void close() {
        closed.accept(this);
        callback = () -> {};
    }
}
