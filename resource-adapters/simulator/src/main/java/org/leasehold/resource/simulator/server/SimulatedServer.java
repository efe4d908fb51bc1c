package org.leasehold.resource.simulator.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.UUID;

/**
 * A server of the simulated cloud that its user has created without a lease, in a zone.
 *
 * @param room what it takes while it is not shelved
 * @param state as in Nova
 * @param reservation the reservation that has it; null for none
 */
public record SimulatedServer(
        UUID id,
        String name,
        ProjectId project,
        ComputeCapacity room,
        State state,
        @Nullable ReservationId reservation) {

    /** The state of a server. */
    public enum State {
        ACTIVE,
        SHUTOFF,
        SUSPENDED,
        SHELVED_OFFLOADED
    }
}
