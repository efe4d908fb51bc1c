package org.leasehold.saga;

import org.axonframework.eventhandling.EventMessage;

import java.time.Instant;

/**
 * The event that causes a later action of the engine.
 *
 * @param event the event's id
 * @param requestId the request that the event belongs to
 * @param at the time of the event
 */
public record Cause(String event, String requestId, Instant at) {

    /** Returns the cause of the reactions to an event. */
    public static Cause of(EventMessage<?> event) {
        Object requestId = event.getMetaData().get("requestId");
        return new Cause(
                event.getIdentifier(),
                requestId == null ? event.getIdentifier() : requestId.toString(),
                event.getTimestamp());
    }
}
