package org.leasehold.history;

import java.time.Instant;

/**
 * An event as it is stored.
 *
 * @param position its place among all events
 * @param stream which stream it stands in
 * @param sequence its place in the stream, from 0
 * @param event what happened, or {@link Unreadable}
 * @param decidedAt the time that the decision went by
 */
public record RecordedEvent(
        long position, String stream, long sequence, Object event, Instant decidedAt) {

    /**
     * Stands for an event that cannot be read.
     *
     * @param type its name in the store
     */
    public record Unreadable(String type, String reason) {}
}
