package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.time.Duration;
import java.time.Instant;

/** Which resources are promised to whom, and when; also what is over. */
public interface Calendar {

    /** The read model that it stands on, for {@link Projections}. */
    String STANDS_ON = "bookings";

    /** How much of it can be asked for at once. */
    Duration LONGEST = Duration.ofDays(366);

    /**
     * A page of what is promised, by resource and start.
     *
     * @throws UnknownMarker if the marker is none that a page gave
     */
    Page<Line> page(ListBookings question);

    /**
     * What to tell.
     *
     * @param asker the only project that may be told of; null for one who may be told of all. Of
     *     what others have it is told when it is taken, as long as nothing else is asked for than
     *     resources as they are now: who asks for a lease, for a project or for the past is told of
     *     the asker's alone
     * @param filter what it is to be of
     * @param from what ends before or at this instant is left out
     * @param to what starts at this instant or later is left out; at most {@link #LONGEST} later
     * @param asOf the position of the event up to which all was known; null for what is known now
     * @param marker where the page before ended; null for the first page
     * @param limit 1 to 1000
     */
    record ListBookings(
            @Nullable ProjectId asker,
            Filter filter,
            Instant from,
            Instant to,
            @Nullable Long asOf,
            @Nullable String marker,
            int limit) {

        public ListBookings {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 bookings: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(LONGEST))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }

        /** The same list, continued. */
        public ListBookings after(String place) {
            return new ListBookings(asker, filter, from, to, asOf, place, limit);
        }
    }

    /** What bookings are to be of; null for any. */
    record Filter(
            @Nullable ResourceId resource,
            @Nullable ProjectId project,
            @Nullable LeaseId lease,
            @Nullable ResourceKind kind) {}

    /** Something that is promised. */
    sealed interface Line {

        ResourceId resource();

        /** Inclusive. */
        Instant starts();

        /** Exclusive; without cleaning. */
        Instant ends();
    }

    /**
     * What a reservation is promised of a resource, or was.
     *
     * @param kind the resource's
     * @param slots of the resource; one for the whole of it
     */
    record Booking(
            ResourceId resource,
            Instant starts,
            Instant ends,
            ResourceKind kind,
            ProjectId project,
            LeaseId lease,
            ReservationId reservation,
            int slots)
            implements Line {}

    /**
     * A time, within the window, in which others have something of a resource: however many, and
     * whether one after the other or together, is not told.
     */
    record Taken(ResourceId resource, Instant starts, Instant ends) implements Line {}
}
