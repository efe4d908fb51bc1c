package org.leasehold.resource.openstack.cinder;

import org.leasehold.vocabulary.ReservationId;

/**
 * A snapshot of a volume in Cinder.
 *
 * @param status Cinder's word, such as {@code available}
 * @param mark the reservation at whose end it was taken, from its metadata; empty for none
 */
public record ExistingSnapshot(String id, String status, String mark) {

    /** Returns whether it can be used. */
    public boolean isUsable() {
        return status.equals("available");
    }

    /** Returns whether Cinder has yet to finish an earlier request. */
    public boolean isBusy() {
        return status.equals("creating") || status.equals("deleting");
    }

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }
}
