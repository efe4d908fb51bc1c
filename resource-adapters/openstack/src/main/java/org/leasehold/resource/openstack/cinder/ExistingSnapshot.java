package org.leasehold.resource.openstack.cinder;

import org.leasehold.lease.ReservationId;

/**
 * A snapshot of a volume in Cinder.
 *
 * @param status as Cinder has it, such as {@code available}
 * @param mark the reservation at whose end it was taken, as its metadata say; empty for none
 */
public record ExistingSnapshot(String id, String status, String mark) {

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }
}
