package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.ReservationId;

import java.util.Optional;

/** What flavors and server groups of reservations are called; the reservation service's name. */
final class ReservedName {

    private static final String PREFIX = "reservation:";

    private ReservedName() {}

    static String of(ReservationId reservation) {
        return PREFIX + reservation;
    }

    /** Whose name it is; empty if it is no reservation's. */
    static Optional<ReservationId> in(String name) {
        return name.startsWith(PREFIX)
                ? ReservationId.find(name.substring(PREFIX.length()))
                : Optional.empty();
    }
}
