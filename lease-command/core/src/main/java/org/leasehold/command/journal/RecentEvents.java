package org.leasehold.command.journal;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.SerializationException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last read events, for readers near the end of the log. All readers are usually there, and
 * only the first one reads and deserializes.
 */
final class RecentEvents {

    /** The lag that a reader which handles its events in batches may have. */
    private static final int MAX_CACHED_EVENTS = 2_000;

    private final EventTable events;
    private final Lock readLock = new ReentrantLock();
    private volatile Stretch recent = Stretch.NONE;

    RecentEvents(EventTable events) {
        this.events = events;
    }

    /** Returns the events after a position, without gaps; empty if there are none yet. */
    List<TrackedEventMessage<?>> eventsAfter(long position) {
        Stretch known = recent;
        if (position < known.after) {
            // A lagging reader neither waits for the others nor replaces their recent events.
            return events.read(position);
        }
        if (position < known.lastPosition()) {
            return known.eventsAfter(position);
        }
        readLock.lock();
        try {
            known = recent;
            if (known.after <= position && position < known.lastPosition()) {
                return known.eventsAfter(position);
            }
            List<TrackedEventMessage<?>> read = List.copyOf(events.read(position));
            if (!read.isEmpty() && position(read.getLast()) > known.lastPosition()) {
                read.forEach(RecentEvents::decode);
                // Does not restore events that were cleared meanwhile.
                recent = recent.append(position, read);
            }
            return read;
        } finally {
            readLock.unlock();
        }
    }

    /** Returns the position of the last event in memory; 0 if there is none. */
    long lastPosition() {
        return recent.lastPosition();
    }

    /** Clears the memory, because the database may have other events now. */
    void clear() {
        recent = Stretch.NONE;
    }

    /** Decodes the event once; otherwise Axon decodes it for each of the waiting readers. */
    private static void decode(TrackedEventMessage<?> event) {
        try {
            event.getPayload();
        } catch (SerializationException _) {
            // A reader of the event meets the same failure, and no other reader is blocked.
        }
    }

    static long position(TrackedEventMessage<?> event) {
        return event.trackingToken().position().orElseThrow();
    }

    /** The events after a position, without gaps. */
    private record Stretch(long after, List<TrackedEventMessage<?>> events) {

        static final Stretch NONE = new Stretch(0, List.of());

        long lastPosition() {
            return events.isEmpty() ? after : position(events.getLast());
        }

        /** Returns the events after a position in this sequence. */
        List<TrackedEventMessage<?>> eventsAfter(long position) {
            return events.subList(firstAfter(position), events.size());
        }

        /** Returns the sequence with the events read after a position, without those too old. */
        Stretch append(long position, List<TrackedEventMessage<?>> read) {
            if (position != lastPosition()) {
                return new Stretch(position, read);
            }
            int over = Math.max(0, events.size() + read.size() - MAX_CACHED_EVENTS);
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
