package org.leasehold.history;

import java.time.Instant;

/**
 * A stored event.
 *
 * @param position the position in the event log
 * @param stream the event's stream
 * @param sequence the index in the stream, from 0
 * @param event the domain event, or {@link Unreadable}
 * @param decidedAt the time that the decision was based on
 */
public record RecordedEvent(
        long position, String stream, long sequence, Object event, Instant decidedAt) {

    /**
     * Stands for an event that cannot be read.
     *
     * @param type the stored name of the event
     */
    public record Unreadable(String type, String reason) {}
}
