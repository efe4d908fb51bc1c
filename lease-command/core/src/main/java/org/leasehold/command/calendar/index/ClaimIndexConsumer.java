package org.leasehold.command.calendar.index;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.leasehold.history.RetryingThread;
import org.leasehold.history.VitalThreads;
import org.leasehold.lease.LeaseEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Keeps the index up to date, in a separate thread. */
public final class ClaimIndexConsumer implements CalendarMemory, SmartLifecycle, VitalThreads {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimIndexConsumer.class);

    private static final int BATCH_SIZE = 500;
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final StreamableMessageSource<TrackedEventMessage<?>> eventSource;
    private final ClaimIndexProjection projection;
    private final ClaimIndex index;
    private final RetryingThread thread = new RetryingThread("calendar-index", this::run);
    private long position;

    public ClaimIndexConsumer(
            StreamableMessageSource<TrackedEventMessage<?>> eventSource,
            ClaimIndexProjection projection,
            ClaimIndex index) {
        this.eventSource = eventSource;
        this.projection = projection;
        this.index = index;
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public boolean isRunning() {
        return thread.isRunning();
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public Set<String> endedThreads() {
        return thread.endedThreads();
    }

    @Override
    public ClaimIndex index() {
        return index;
    }

    @Override
    public synchronized long position() {
        return position;
    }

    @Override
    public synchronized boolean awaitPosition(long wanted, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (index.isReady() && position < wanted) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return index.isReady();
    }

    private synchronized void setPosition(long newPosition) {
        position = newPosition;
        notifyAll();
    }

    private void run() throws InterruptedException {
        thread.repeat(
                this::consumeEvents,
                _ -> RETRY_INTERVAL,
                e ->
                        LOG.warn(
                                "The index of claims is filled again after a failure: {}",
                                e.toString()));
    }

    /** Fills the index, and keeps it up to date until it becomes invalid or the consumer stops. */
    private Duration consumeEvents() throws InterruptedException {
        long start = projection.rebuild();
        try (BlockingStream<TrackedEventMessage<?>> events =
                eventSource.openStream(new GlobalSequenceTrackingToken(start))) {
            index.markComplete();
            setPosition(start);
            while (isRunning() && index.isReady()) {
                if (events.hasNextAvailable(1, TimeUnit.SECONDS)) {
                    setPosition(applyBatch(events));
                }
                projection.removeEndedClaims();
            }
        }
        return Duration.ZERO;
    }

    private long applyBatch(BlockingStream<TrackedEventMessage<?>> events)
            throws InterruptedException {
        List<LeaseEvent> batch = new ArrayList<>();
        long last = 0;
        for (int taken = 0; taken < BATCH_SIZE && events.peek().isPresent(); taken++) {
            TrackedEventMessage<?> event = events.nextAvailable();
            last = event.trackingToken().position().orElseThrow();
            if (event.getPayload() instanceof LeaseEvent leaseEvent) {
                batch.add(leaseEvent);
            }
        }
        projection.apply(batch);
        return last;
    }
}
