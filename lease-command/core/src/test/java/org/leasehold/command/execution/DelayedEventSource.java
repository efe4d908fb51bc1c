package org.leasehold.command.execution;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.messaging.StreamableMessageSource;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An event log whose events reach their consumer after a delay. */
final class DelayedEventSource implements StreamableMessageSource<TrackedEventMessage<?>> {

    private final StreamableMessageSource<TrackedEventMessage<?>> journal;
    private final Duration delay;
    private volatile boolean open;
    private volatile long delivered;

    DelayedEventSource(StreamableMessageSource<TrackedEventMessage<?>> journal, Duration delay) {
        this.journal = journal;
        this.delay = delay;
    }

    /** Returns the position of the last event that the consumer has received. */
    long delivered() {
        return delivered;
    }

    /** Returns true once a consumer exists: earlier events have no delay. */
    boolean isOpen() {
        return open;
    }

    @Override
    public BlockingStream<TrackedEventMessage<?>> openStream(TrackingToken token) {
        BlockingStream<TrackedEventMessage<?>> late = new Late(journal.openStream(token));
        open = true;
        return late;
    }

    private record Arrival(TrackedEventMessage<?> event, long due) {}

    private final class Late implements BlockingStream<TrackedEventMessage<?>> {

        private final BlockingStream<TrackedEventMessage<?>> events;
        private final Deque<Arrival> waiting = new ArrayDeque<>();

        Late(BlockingStream<TrackedEventMessage<?>> events) {
            this.events = events;
        }

        @Override
        public Optional<TrackedEventMessage<?>> peek() {
            Arrival first = waiting.peek();
            return first == null || first.due() > System.nanoTime()
                    ? Optional.empty()
                    : Optional.of(first.event());
        }

        @Override
        public boolean hasNextAvailable(int timeout, TimeUnit unit) throws InterruptedException {
            long end = System.nanoTime() + unit.toNanos(timeout);
            do {
                // The loop finds each event shortly after its storage; its delay begins then.
                while (events.peek().isPresent()) {
                    waiting.add(
                            new Arrival(
                                    events.nextAvailable(), System.nanoTime() + delay.toNanos()));
                }
                if (peek().isEmpty()) {
                    events.hasNextAvailable(10, TimeUnit.MILLISECONDS);
                }
            } while (peek().isEmpty() && System.nanoTime() < end);
            return peek().isPresent();
        }

        @Override
        public TrackedEventMessage<?> nextAvailable() {
            TrackedEventMessage<?> event = waiting.remove().event();
            delivered = event.trackingToken().position().orElseThrow();
            return event;
        }

        @Override
        public void close() {
            events.close();
        }
    }
}
