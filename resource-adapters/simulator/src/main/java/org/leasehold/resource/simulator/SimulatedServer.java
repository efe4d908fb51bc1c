package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.server.Room;

import java.util.UUID;

/**
 * A server of the simulated cloud that its user has made without a lease, in some zone.
 *
 * @param room what it takes as long as it is not shelved
 * @param state as Nova has it
 * @param reservation whose it is; null for nobody's
 */
public record SimulatedServer(
        UUID id,
        String name,
        ProjectId project,
        Room room,
        State state,
        @Nullable ReservationId reservation) {

    /** What it does. */
    public enum State {
        ACTIVE,
        SHUTOFF,
        SUSPENDED,
        SHELVED_OFFLOADED
    }
}
