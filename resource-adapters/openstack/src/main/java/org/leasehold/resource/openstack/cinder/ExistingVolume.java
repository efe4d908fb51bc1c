package org.leasehold.resource.openstack.cinder;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.vocabulary.ReservationId;

/**
 * A volume in Cinder.
 *
 * @param type the name of its type
 * @param size in GiB
 * @param status Cinder's word, such as {@code in-use}
 * @param project the project that owns it
 * @param mark the reservation that it is for, from its metadata; empty for none
 */
public record ExistingVolume(
        String id, String type, int size, String status, String project, String mark) {

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }

    /** Returns whether mark and project match: any owner can write any reservation's id on it. */
    public boolean isOf(Assignment assignment) {
        return isOf(assignment.reservation()) && project.equals(assignment.project().value());
    }

    /** Returns whether Cinder has yet to finish an earlier request. */
    public boolean isBusy() {
        return switch (status) {
            case "creating", "extending", "deleting" -> true;
            default -> false;
        };
    }

    /** Returns a text for people. */
    @Override
    public String toString() {
        return "The volume %s (%s)".formatted(id, status);
    }
}
