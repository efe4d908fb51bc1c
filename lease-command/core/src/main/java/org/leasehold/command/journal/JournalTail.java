package org.leasehold.command.journal;

import org.leasehold.history.Tail;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Looks at the end of the journal whenever that wakes those who read it. */
final class JournalTail implements Tail {

    private final Journal journal;
    private final EventTable events;

    JournalTail(Journal journal, EventTable events) {
        this.journal = journal;
        this.events = events;
    }

    @Override
    public long await(long after, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        Semaphore wakeUps = new Semaphore(0);
        Runnable wake = wakeUps::release;
        journal.wakes(wake);
        try {
            long head = events.head();
            while (head <= after
                    && wakeUps.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                // Taken before the database is asked: what is committed after the answer wakes
                // again.
                wakeUps.drainPermits();
                head = events.head();
            }
            return head;
        } finally {
            journal.wakesNoMore(wake);
        }
    }
}
