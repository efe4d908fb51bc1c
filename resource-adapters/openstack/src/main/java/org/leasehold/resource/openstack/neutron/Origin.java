package org.leasehold.resource.openstack.neutron;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Survey;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Where something in Neutron comes from.
 *
 * @param project whose it is
 * @param description what it was made for: unlike tags it can be said when it is made
 */
public record Origin(String project, String description, Set<String> tags, Instant createdAt) {

    /** Clients find what a reservation has by its tags. */
    private static final String BLAZAR = "blazar";

    private static final String RESERVATION = "reservation:";

    /** The cloud's clock is not ours, and it tells whole seconds. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    public Origin {
        tags = Set.copyOf(tags);
    }

    /** What says that something is a reservation's. */
    public static String mark(ReservationId reservation) {
        return RESERVATION + reservation;
    }

    /** The reservations whose name it bears: one, unless somebody else wrote on it. */
    public Stream<ReservationId> reservations() {
        return Stream.concat(Stream.of(description), tags.stream())
                .filter(text -> text.startsWith(RESERVATION))
                .map(text -> text.substring(RESERVATION.length()))
                .distinct()
                .flatMap(id -> ReservationId.find(id).stream());
    }

    /** What has this origin, as each of the {@link #reservations()} has it. */
    public Stream<Survey.Thing> things(String name) {
        return reservations().map(reservation -> new Survey.Thing(reservation, name));
    }

    public boolean isOf(ReservationId reservation) {
        return description.equals(mark(reservation)) || tags.contains(mark(reservation));
    }

    public boolean isOfAnyReservation() {
        return reservations().findAny().isPresent();
    }

    /**
     * Whether something that is where only the assignment may have anything was made for it. Its
     * holder may have wiped off all marks, maybe to keep it for good; but only administrators
     * choose an address or a segment, so that nobody else made anything for the project there in
     * the reservation's time. What was made later is somebody's who got it after that: a lease may
     * end long after its time.
     */
    public boolean isOf(Assignment assignment) {
        return isOf(assignment.reservation())
                || (!isOfAnyReservation()
                        && project.equals(assignment.project().value())
                        && !createdAt.isBefore(assignment.period().start().minus(CLOCKS_DIFFER))
                        && createdAt.isBefore(assignment.period().end().plus(CLOCKS_DIFFER)));
    }

    public boolean isTagged(ReservationId reservation) {
        return tags.contains(BLAZAR) && tags.contains(mark(reservation));
    }

    /** Its tags, the holder's own among them, and ours; in order. */
    public Set<String> tagsFor(ReservationId reservation) {
        Set<String> all = new TreeSet<>(tags);
        all.add(BLAZAR);
        all.add(mark(reservation));
        return all;
    }

    /** Its tags, in order, for people. */
    public String tagged() {
        return String.join(" ", new TreeSet<>(tags));
    }
}
