package org.leasehold.resource.simulator.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.UUID;

/**
 * A volume of the simulated cloud.
 *
 * @param size in GiB
 * @param attached whether it is attached to a server
 * @param reservation the reservation that has it; null for a user's own
 */
public record SimulatedVolume(
        UUID id,
        String type,
        int size,
        String name,
        String description,
        ProjectId project,
        boolean attached,
        @Nullable ReservationId reservation) {}
