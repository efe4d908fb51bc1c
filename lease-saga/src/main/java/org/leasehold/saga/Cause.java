package org.leasehold.saga;

import java.time.Instant;

/**
 * The event that causes a later action of the engine.
 *
 * @param event the event's id
 * @param requestId the request that the event belongs to
 * @param at the time of the event
 */
public record Cause(String event, String requestId, Instant at) {}
