package org.leasehold.saga;

import java.time.Instant;

/**
 * The event because of which the engine does something later.
 *
 * @param event the event's id
 * @param requestId the request that the event belongs to
 * @param at when it happened
 */
public record Cause(String event, String requestId, Instant at) {}
