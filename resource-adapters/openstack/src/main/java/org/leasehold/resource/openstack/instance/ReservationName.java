package org.leasehold.resource.openstack.instance;

import org.leasehold.vocabulary.ReservationId;

import java.util.Optional;

/** The name of a reservation's flavor and server group, as in the reservation service. */
final class ReservationName {

    private static final String PREFIX = "reservation:";

    private ReservationName() {}

    static String of(ReservationId reservation) {
        return PREFIX + reservation;
    }

    /** Returns the reservation of a name; empty if it is no reservation's. */
    static Optional<ReservationId> parse(String name) {
        return name.startsWith(PREFIX)
                ? ReservationId.find(name.substring(PREFIX.length()))
                : Optional.empty();
    }
}
