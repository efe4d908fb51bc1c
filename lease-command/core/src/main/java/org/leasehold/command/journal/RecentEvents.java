package org.leasehold.command.journal;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.SerializationException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The events that were read last, for the readers that stand near their end: at the tail all of
 * them do, and only the first reads and deserializes.
 */
final class RecentEvents {

    /** What a reader that handles its events in batches may be behind the first. */
    private static final int KEPT = 2_000;

    private final EventTable events;
    private final Lock reading = new ReentrantLock();
    private volatile Stretch recent = Stretch.NONE;

    RecentEvents(EventTable events) {
        this.events = events;
    }

    /** Events after a position, without a hole; empty when there are none yet. */
    List<TrackedEventMessage<?>> after(long position) {
        Stretch known = recent;
        if (position < known.after) {
            // Whoever is far behind neither waits for the others nor takes the tail from them.
            return events.read(position);
        }
        if (position < known.end()) {
            return known.rest(position);
        }
        reading.lock();
        try {
            known = recent;
            if (known.after <= position && position < known.end()) {
                return known.rest(position);
            }
            List<TrackedEventMessage<?>> read = List.copyOf(events.read(position));
            if (!read.isEmpty() && position(read.getLast()) > known.end()) {
                read.forEach(RecentEvents::decode);
                // Not to what has been forgotten meanwhile.
                recent = recent.and(position, read);
            }
            return read;
        } finally {
            reading.unlock();
        }
    }

    /** The position of the last event that is remembered; 0 if none is. */
    long end() {
        return recent.end();
    }

    /** What is in the database may be something else by now. */
    void forget() {
        recent = Stretch.NONE;
    }

    /** Axon decodes what is asked for: once for each of those who wait for it. */
    private static void decode(TrackedEventMessage<?> event) {
        try {
            event.getPayload();
        } catch (SerializationException _) {
            // Whoever wants it meets the same failure, and nobody else is held up by it.
        }
    }

    static long position(TrackedEventMessage<?> event) {
        return event.trackingToken().position().orElseThrow();
    }

    /** Events without a hole, after a position. */
    private record Stretch(long after, List<TrackedEventMessage<?>> events) {

        static final Stretch NONE = new Stretch(0, List.of());

        long end() {
            return events.isEmpty() ? after : position(events.getLast());
        }

        /** Those after a position in this stretch. */
        List<TrackedEventMessage<?>> rest(long position) {
            return events.subList(firstAfter(position), events.size());
        }

        /** With what was read after a position; without what is too long ago. */
        Stretch and(long position, List<TrackedEventMessage<?>> read) {
            if (position != end()) {
                return new Stretch(position, read);
            }
            int over = Math.max(0, events.size() + read.size() - KEPT);
            if (over >= events.size()) {
                return new Stretch(position, read);
            }
            List<TrackedEventMessage<?>> kept =
                    new ArrayList<>(events.subList(over, events.size()));
            kept.addAll(read);
            return new Stretch(over == 0 ? after : position(events.get(over - 1)), kept);
        }

        private int firstAfter(long position) {
            int low = 0;
            int high = events.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (position(events.get(middle)) <= position) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
