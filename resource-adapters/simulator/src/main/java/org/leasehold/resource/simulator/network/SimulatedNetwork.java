package org.leasehold.resource.simulator.network;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.network.Segment;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

/**
 * A network of the simulated cloud.
 *
 * @param reservation the reservation it was created for; null for a user's own
 */
public record SimulatedNetwork(
        Segment segment,
        String name,
        String description,
        ProjectId project,
        @Nullable ReservationId reservation) {}
