package org.leasehold.resource.openstack.cinder;

import org.leasehold.lease.ReservationId;

/**
 * A snapshot of a volume in Cinder.
 *
 * @param status as Cinder has it, such as {@code available}
 * @param mark the reservation at whose end it was taken, as its metadata say; empty for none
 */
public record ExistingSnapshot(String id, String status, String mark) {

    /** It can be used. */
    public boolean isTaken() {
        return status.equals("available");
    }

    /** Cinder is about to do something with it that was asked before. */
    public boolean isBusy() {
        return status.equals("creating") || status.equals("deleting");
    }

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }
}
