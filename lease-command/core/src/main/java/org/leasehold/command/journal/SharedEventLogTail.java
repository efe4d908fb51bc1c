package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.SerializationException;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The end of the event log, for readers other than Axon's. The position is queried once for all of
 * them, and only after a wake-up.
 */
public final class SharedEventLogTail implements EventLogTail {

    private final NotifyingEventStore eventStore;
    private final EventTable events;
    private final AtomicLong wakeUps = new AtomicLong();
    private final Set<Semaphore> waitingReaders = ConcurrentHashMap.newKeySet();

    /** The number of wake-ups that the head includes. */
    private long countedWakeUps = -1;

    private long head;

    public SharedEventLogTail(NotifyingEventStore journal, EventTable events) {
        this.eventStore = journal;
        this.events = events;
        journal.addWakeListener(this::wakeReaders);
    }

    private void wakeReaders() {
        // Counted first: a woken reader checks the count for changes.
        wakeUps.incrementAndGet();
        waitingReaders.forEach(Semaphore::release);
    }

    @Override
    public long awaitEventAfter(long after, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        Semaphore woken = new Semaphore(0);
        waitingReaders.add(woken);
        try {
            long last = head();
            while (last <= after
                    && woken.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                // Taken before the query of the head: a commit after the result causes another
                // wake-up.
                woken.drainPermits();
                last = head();
            }
            return last;
        } finally {
            waitingReaders.remove(woken);
        }
    }

    private synchronized long head() {
        // Counted before the query, for the same reason.
        long counted = wakeUps.get();
        if (counted != countedWakeUps) {
            head = events.head();
            countedWakeUps = counted;
        }
        return head;
    }

    @Override
    public List<RecordedEvent> readAfter(long position) {
        return eventStore.eventsAfter(position).stream()
                .map(SharedEventLogTail::toRecordedEvent)
                .toList();
    }

    private static RecordedEvent toRecordedEvent(TrackedEventMessage<?> tracked) {
        DomainEventMessage<?> event = (DomainEventMessage<?>) tracked;
        long position = RecentEvents.position(tracked);
        try {
            return new RecordedEvent(
                    position,
                    event.getAggregateIdentifier(),
                    event.getSequenceNumber(),
                    event.getPayload(),
                    event.getTimestamp());
        } catch (SerializationException e) {
            throw new IllegalStateException("event %s cannot be read".formatted(position), e);
        }
    }
}
