package org.leasehold.resource.simulator.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

/**
 * A floating IP of the simulated cloud.
 *
 * @param reservation the reservation it was created for; null for a user's own
 */
public record SimulatedFloatingIp(
        FloatingIp ip, ProjectId project, @Nullable ReservationId reservation) {}
