package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.ReservationId;

import java.util.Set;

/**
 * A server in Nova.
 *
 * @param status Nova's word, such as {@code SHELVED_OFFLOADED}
 * @param isBusy whether Nova has yet to finish an earlier request
 * @param isLocked whether only an administrator may change it
 * @param project the project that owns it
 * @param room its zone, and what it takes there while it is not shelved
 * @param mark the reservation that it is for, from its metadata; empty for none
 */
public record ExistingServer(
        String id,
        String name,
        String status,
        boolean isBusy,
        boolean isLocked,
        String project,
        ComputeCapacity room,
        String mark) {

    private static final Set<String> SETTLED_STATUSES =
            Set.of("ACTIVE", "SHUTOFF", "PAUSED", "SUSPENDED");

    public boolean isOf(ReservationId reservation) {
        return mark.equals(reservation.toString());
    }

    /** Returns whether Nova can write metadata on it and create images of it in its state. */
    public boolean isSettled() {
        return SETTLED_STATUSES.contains(status);
    }

    /** Returns whether it is shelved, so that it takes no room. */
    public boolean isShelved() {
        return status.equals("SHELVED") || status.equals("SHELVED_OFFLOADED");
    }

    /** Returns a text for people. */
    @Override
    public String toString() {
        return "The server %s (%s)".formatted(id, status);
    }
}
