package org.leasehold.command.journal;

import org.axonframework.eventhandling.TrackedEventMessage;

import java.util.ArrayList;
import java.util.List;

/**
 * The events that were read last, for the readers that stand near their end: at the tail all of
 * them do, and only the first reads and deserializes.
 */
final class RecentEvents {

    /** What a reader that handles its events in batches may be behind the first. */
    private static final int KEPT = 2_000;

    private final EventTable events;

    /** Without a hole, after a position. */
    private final List<TrackedEventMessage<?>> recent = new ArrayList<>();

    private long after;

    RecentEvents(EventTable events) {
        this.events = events;
    }

    /** Events after a position, without a hole; empty when there are none yet. */
    synchronized List<TrackedEventMessage<?>> after(long position) {
        if (after <= position && position < end()) {
            return List.copyOf(recent.subList(firstAfter(position), recent.size()));
        }
        List<TrackedEventMessage<?>> read = List.copyOf(events.read(position));
        if (!read.isEmpty() && position(read.getLast()) > end()) {
            keep(position, read);
        }
        return read;
    }

    /** Somebody who is far behind does not take the tail away from the others. */
    private void keep(long position, List<TrackedEventMessage<?>> read) {
        if (position != end()) {
            recent.clear();
            after = position;
        }
        recent.addAll(read);
        int over = recent.size() - KEPT;
        if (over > 0) {
            after = position(recent.get(over - 1));
            recent.subList(0, over).clear();
        }
    }

    private long end() {
        return recent.isEmpty() ? after : position(recent.getLast());
    }

    private int firstAfter(long position) {
        int low = 0;
        int high = recent.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (position(recent.get(middle)) <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    static long position(TrackedEventMessage<?> event) {
        return event.trackingToken().position().orElseThrow();
    }
}
