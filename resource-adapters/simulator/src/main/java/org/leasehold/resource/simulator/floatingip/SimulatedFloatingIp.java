package org.leasehold.resource.simulator.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.floatingip.FloatingIp;

/**
 * A floating IP of the simulated cloud.
 *
 * @param reservation the reservation it was created for; null for a user's own
 */
public record SimulatedFloatingIp(
        FloatingIp ip, ProjectId project, @Nullable ReservationId reservation) {}
