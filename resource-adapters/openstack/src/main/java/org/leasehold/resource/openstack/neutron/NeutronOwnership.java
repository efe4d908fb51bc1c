package org.leasehold.resource.openstack.neutron;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Survey;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The origin of something in Neutron.
 *
 * @param project the project that owns it
 * @param description the purpose of its creation: unlike tags, it can be set at the creation
 */
public record NeutronOwnership(
        String project, String description, Set<String> tags, Instant createdAt) {

    /** The tag by which clients find what a reservation has. */
    private static final String BLAZAR = "blazar";

    private static final String RESERVATION = "reservation:";

    /** A tolerance: the cloud's clock is not ours, and its times are whole seconds. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    public NeutronOwnership {
        tags = Set.copyOf(tags);
    }

    /** Returns the mark of a reservation's things. */
    public static String mark(ReservationId reservation) {
        return RESERVATION + reservation;
    }

    /** Returns the reservations whose mark it has: one, unless others have written on it. */
    public Stream<ReservationId> reservations() {
        return Stream.concat(Stream.of(description), tags.stream())
                .filter(text -> text.startsWith(RESERVATION))
                .map(text -> text.substring(RESERVATION.length()))
                .distinct()
                .flatMap(id -> ReservationId.find(id).stream());
    }

    /** Returns a thing for each of the {@link #reservations()}. */
    public Stream<Survey.Thing> surveyEntries(String name) {
        return reservations().map(reservation -> new Survey.Thing(reservation, name));
    }

    public boolean isOf(ReservationId reservation) {
        return description.equals(mark(reservation)) || tags.contains(mark(reservation));
    }

    public boolean isOfAnyReservation() {
        return reservations().findAny().isPresent();
    }

    /**
     * Returns whether something was created for the assignment, at a place that only the assignment
     * may use. Its holder may have removed all marks, maybe to keep it for good. But only
     * administrators choose an address or a segment. So nothing else was created there for the
     * project in the reservation's time. Later things belong to the next holder: a lease may end
     * long after its time.
     */
    public boolean isOf(Assignment assignment) {
        return isOf(assignment.reservation())
                || (!isOfAnyReservation()
                        && project.equals(assignment.project().value())
                        && !createdAt.isBefore(assignment.period().start().minus(CLOCK_TOLERANCE))
                        && createdAt.isBefore(assignment.period().end().plus(CLOCK_TOLERANCE)));
    }

    public boolean isTagged(ReservationId reservation) {
        return tags.contains(BLAZAR) && tags.contains(mark(reservation));
    }

    /** Returns its tags, the holder's own included, and ours, in order. */
    public Set<String> tagsFor(ReservationId reservation) {
        Set<String> all = new TreeSet<>(tags);
        all.add(BLAZAR);
        all.add(mark(reservation));
        return all;
    }

    /** Returns its tags, in order, for people. */
    public String formatTags() {
        return String.join(" ", new TreeSet<>(tags));
    }
}
