package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.util.SortedMap;
import java.util.UUID;

/**
 * A stack of the simulated cloud.
 *
 * @param request what it was made by, as JSON
 * @param resources what its resources are called by the cloud, by the stack's names for them
 * @param reservation for which it was made; null for a user's own
 */
public record SimulatedStack(
        UUID id,
        String name,
        ProjectId project,
        String request,
        State state,
        SortedMap<String, UUID> resources,
        @Nullable ReservationId reservation) {

    /** What a stack does. */
    public enum State {
        COMPLETE,
        SUSPENDED
    }
}
