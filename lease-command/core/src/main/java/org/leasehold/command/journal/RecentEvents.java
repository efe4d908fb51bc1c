package org.leasehold.command.journal;

import org.axonframework.eventhandling.TrackedEventMessage;

import java.util.List;

/**
 * The batch that was read last, for the readers that stand near its place: at the tail all of them
 * do, and only the first reads and deserializes.
 */
final class RecentEvents {

    private final EventTable events;
    private Batch last = new Batch(0, List.of());

    RecentEvents(EventTable events) {
        this.events = events;
    }

    /** Events after a position, without a hole; empty when there are none yet. */
    synchronized List<TrackedEventMessage<?>> after(long position) {
        List<TrackedEventMessage<?>> known = last.after(position);
        if (!known.isEmpty()) {
            return known;
        }
        Batch read = new Batch(position, events.read(position));
        // Somebody who is far behind does not take the tail away from the others.
        if (read.end() > last.end()) {
            last = read;
        }
        return read.events();
    }

    static long position(TrackedEventMessage<?> event) {
        return event.trackingToken().position().orElseThrow();
    }

    /** All events after a position, up to the last one of these. */
    private record Batch(long after, List<TrackedEventMessage<?>> events) {

        long end() {
            return events.isEmpty() ? after : position(events.getLast());
        }

        List<TrackedEventMessage<?>> after(long position) {
            if (position < after) {
                return List.of();
            }
            int read = 0;
            while (read < events.size() && position(events.get(read)) <= position) {
                read++;
            }
            return events.subList(read, events.size());
        }
    }
}
