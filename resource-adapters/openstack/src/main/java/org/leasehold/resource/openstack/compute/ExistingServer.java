package org.leasehold.resource.openstack.compute;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.server.Room;

import java.util.Set;

/**
 * A server in Nova.
 *
 * @param status as Nova has it, such as {@code SHELVED_OFFLOADED}
 * @param isBusy whether Nova is about to do something with it that was asked before
 * @param isLocked whether nobody but an administrator may do anything with it
 * @param project whose it is
 * @param room where it is, and what it takes there as long as it is not shelved
 * @param mark the reservation that it is for, as its metadata say; empty for none
 */
public record ExistingServer(
        String id,
        String name,
        String status,
        boolean isBusy,
        boolean isLocked,
        String project,
        Room room,
        String mark) {

    private static final Set<String> SETTLED = Set.of("ACTIVE", "SHUTOFF", "PAUSED", "SUSPENDED");

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }

    /** Nova lets it be written on, and makes images of it, in these states only. */
    public boolean isSettled() {
        return SETTLED.contains(status);
    }

    /** It takes no room. */
    public boolean isShelved() {
        return status.equals("SHELVED") || status.equals("SHELVED_OFFLOADED");
    }

    /** For people. */
    @Override
    public String toString() {
        return "The server %s (%s)".formatted(id, status);
    }
}
