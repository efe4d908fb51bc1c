package org.leasehold.resource.openstack.cinder;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Assignment;

/**
 * A volume in Cinder.
 *
 * @param type the name of its type
 * @param size in GiB
 * @param status as Cinder has it, such as {@code in-use}
 * @param project whose it is
 * @param mark the reservation that it is for, as its metadata say; empty for none
 */
public record ExistingVolume(
        String id, String type, int size, String status, String project, String mark) {

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }

    /** Whoever has a volume may write any reservation's name on it. */
    public boolean isOf(Assignment assignment) {
        return isOf(assignment.reservation()) && project.equals(assignment.project().value());
    }

    /** Cinder is about to do something with it that was asked before. */
    public boolean isBusy() {
        return switch (status) {
            case "creating", "extending", "deleting" -> true;
            default -> false;
        };
    }

    /** For people. */
    @Override
    public String toString() {
        return "The volume %s (%s)".formatted(id, status);
    }
}
