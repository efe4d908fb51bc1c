package org.leasehold.resource.openstack.floatingip;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.floatingip.FloatingIp;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A floating IP that Neutron has.
 *
 * @param description what it was made for: unlike tags it can be said when it is made
 * @param associated whether it leads to a port
 */
record ExistingIp(
        String id,
        FloatingIp ip,
        String project,
        String description,
        Set<String> tags,
        Instant createdAt,
        boolean associated) {

    /** Clients find a reservation's floating IPs by their tags. */
    private static final String BLAZAR = "blazar";

    private static final String RESERVATION = "reservation:";

    /** The cloud's clock is not ours, and it tells whole seconds. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    static String mark(ReservationId reservation) {
        return RESERVATION + reservation;
    }

    /** The reservations whose name it bears: one, unless somebody else wrote on it. */
    Stream<ReservationId> reservations() {
        return Stream.concat(Stream.of(description), tags.stream())
                .filter(text -> text.startsWith(RESERVATION))
                .map(text -> text.substring(RESERVATION.length()))
                .distinct()
                .flatMap(id -> ReservationId.find(id).stream());
    }

    boolean isOf(ReservationId reservation) {
        return description.equals(mark(reservation)) || tags.contains(mark(reservation));
    }

    boolean isOfAnyReservation() {
        return description.startsWith(RESERVATION)
                || tags.stream().anyMatch(tag -> tag.startsWith(RESERVATION));
    }

    /**
     * Whether it, at an address of the assignment, was made for it. Its holder may have wiped off
     * all marks, maybe to keep it for good; but only administrators choose an address, so that
     * nobody else made one for the project there in the reservation's time.
     */
    boolean isOf(Assignment assignment) {
        return isOf(assignment.reservation())
                || (!isOfAnyReservation()
                        && project.equals(assignment.project().value())
                        && !createdAt.isBefore(assignment.period().start().minus(CLOCKS_DIFFER)));
    }

    boolean isTagged(ReservationId reservation) {
        return tags.contains(BLAZAR) && tags.contains(mark(reservation));
    }

    /** Its tags, the holder's own among them, and ours. */
    Set<String> tagsFor(ReservationId reservation) {
        Set<String> all = new TreeSet<>(tags);
        all.add(BLAZAR);
        all.add(mark(reservation));
        return all;
    }
}
