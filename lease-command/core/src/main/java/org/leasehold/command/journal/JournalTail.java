package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.SerializationException;
import org.leasehold.history.RecordedEvent;
import org.leasehold.history.Tail;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The end of the journal, for the readers that are not Axon's. Where it is, is looked up once for
 * all of them, and only after something has happened.
 */
final class JournalTail implements Tail {

    private final Journal journal;
    private final EventTable events;
    private final AtomicLong wakeUps = new AtomicLong();
    private final Set<Semaphore> sleepers = ConcurrentHashMap.newKeySet();

    /** Of how many wake-ups the head is told. */
    private long told = -1;

    private long head;

    JournalTail(Journal journal, EventTable events) {
        this.journal = journal;
        this.events = events;
        journal.wakes(this::wake);
    }

    private void wake() {
        // Counted first: who is woken asks whether something has happened.
        wakeUps.incrementAndGet();
        sleepers.forEach(Semaphore::release);
    }

    @Override
    public long await(long after, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        Semaphore woken = new Semaphore(0);
        sleepers.add(woken);
        try {
            long last = head();
            while (last <= after
                    && woken.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                // Taken before the head is asked for: what is committed after the answer wakes
                // again.
                woken.drainPermits();
                last = head();
            }
            return last;
        } finally {
            sleepers.remove(woken);
        }
    }

    private synchronized long head() {
        // Counted before the database is asked, for the same reason.
        long counted = wakeUps.get();
        if (counted != told) {
            head = events.head();
            told = counted;
        }
        return head;
    }

    @Override
    public List<RecordedEvent> after(long position) {
        return journal.after(position).stream().map(JournalTail::recorded).toList();
    }

    private static RecordedEvent recorded(TrackedEventMessage<?> tracked) {
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
