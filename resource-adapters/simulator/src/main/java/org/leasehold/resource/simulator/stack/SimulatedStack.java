package org.leasehold.resource.simulator.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.SortedMap;
import java.util.UUID;

/**
 * A stack of the simulated cloud.
 *
 * @param request the request that created it, as JSON
 * @param resources the cloud's ids of its resources, by the stack's names for them
 * @param reservation the reservation it was created for; null for a user's own
 */
public record SimulatedStack(
        UUID id,
        String name,
        ProjectId project,
        String request,
        State state,
        SortedMap<String, UUID> resources,
        @Nullable ReservationId reservation) {

    /** The state of a stack. */
    public enum State {
        COMPLETE,
        SUSPENDED
    }
}
